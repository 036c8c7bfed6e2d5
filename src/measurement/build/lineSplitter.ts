import { StringDecoder } from 'node:string_decoder';

/** Joins pieces of output into lines. Longer lines are cut into parts of `maximumLength` characters, so that memory is bounded. */
export class LineSplitter {
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';

  constructor(
    private readonly onLine: (line: string) => void,
    private readonly maximumLength = 4096,
  ) {}

  add(piece: Buffer): void {
    this.rest += this.decoder.write(piece);
    let from = 0;
    for (let end = this.rest.indexOf('\n'); end >= 0; end = this.rest.indexOf('\n', from)) {
      this.emit(this.rest.slice(from, end));
      from = end + 1;
    }
    this.rest = this.rest.slice(from);
    while (this.rest.length > this.maximumLength) {
      this.onLine(this.rest.slice(0, this.maximumLength));
      this.rest = this.rest.slice(this.maximumLength);
    }
  }

  end(): void {
    const last = this.rest + this.decoder.end();
    this.rest = '';
    if (last !== '') this.emit(last);
  }

  private emit(line: string): void {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    for (let begin = 0; begin === 0 || begin < text.length; begin += this.maximumLength)
      this.onLine(text.slice(begin, begin + this.maximumLength));
  }
}
