// The changes that a mutation test makes: those that mutation testers usually know (Stryker's), one place of a source file at a time.
import ts from 'typescript';

const binary = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '&': ['|'],
  '|': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '/=': ['*='],
  '&=': ['|='],
  '|=': ['&='],
  '??=': ['&&='],
};
const methods = {
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  trim: 'trimStart',
  trimStart: 'trimEnd',
  trimEnd: 'trimStart',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
};
/** Methods that return what they were called on, changed: without them the receiver stands there. */
const removable = new Set(['filter', 'slice', 'sort', 'toSorted', 'reverse', 'toReversed', 'trim', 'concat']);

/** Every change of a text: where it begins and ends, what is put there, its kind, and the number of the function around it (`functionsOf`). */
export function mutationsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutations = [];
  const numbers = new Map(functionsOf(source).map((node, index) => [node, index + 1]));
  const visit = (node, around) => {
    if (isOnlyType(node)) return;
    const inside = numbers.get(node) ?? around;
    for (const [kind, place, replacement] of changesOf(node, source))
      mutations.push({
        file,
        text,
        kind,
        replacement,
        begin: place.getStart(source),
        end: place.getEnd(),
        around: inside,
      });
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(source, 0);
  return mutations;
}

/** The functions with a body, in the order of their beginnings. */
function functionsOf(source) {
  const list = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) list.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return list;
}

/** The text with a statement in each function that notes its number in `globalThis.kymoReached[file]`. */
export function withNotes(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const inserts = [];
  for (const [index, { body }] of functionsOf(source).entries()) {
    const note = `__reached[${index + 1}] = 1`;
    if (ts.isBlock(body)) inserts.push([body.getStart(source) + 1, `${note};`]);
    else inserts.push([body.getStart(source), `(${note}, `], [body.getEnd(), ')']);
  }
  let noted = text;
  for (const [place, insert] of inserts.map((each, order) => [...each, order]).sort(laterFirst))
    noted = noted.slice(0, place) + insert + noted.slice(place);
  return `const __reached: number[] = ((globalThis as any).kymoReached ??= {})[${JSON.stringify(file)}] ??= [];${noted}`;
}

/** Of two inserts at one place, the earlier one stands first. */
function laterFirst([a, , orderA], [b, , orderB]) {
  return b - a || orderB - orderA;
}

function isOnlyType(node) {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    // What a thrown error says is wording.
    ts.isThrowStatement(node)
  );
}

function changesOf(node, source) {
  const textOf = (part) => part.getText(source);
  if (ts.isBinaryExpression(node)) return changesOfBinary(node, textOf);
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
    return changesOfUnary(node, textOf);
  if (ts.isExpression(node)) return changesOfExpression(node, textOf);
  return changesOfStatement(node, textOf);
}

function changesOfBinary(node, textOf) {
  const operator = textOf(node.operatorToken);
  if (operator === '+' && [node.left, node.right].some(isText)) return [];
  const changes = (binary[operator] ?? []).map((other) => ['operator', node.operatorToken, other]);
  if (operator === '??') changes.push(['default', node, textOf(node.left)]);
  return changes;
}

function isText(node) {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

function changesOfUnary(node, textOf) {
  if (node.operator === ts.SyntaxKind.ExclamationToken) return [['negation', node, textOf(node.operand)]];
  if (node.operator === ts.SyntaxKind.MinusToken) return [['sign', node, textOf(node.operand)]];
  if (node.operator === ts.SyntaxKind.PlusPlusToken)
    return [['operator', node, textOf(node).replace('++', '--')]];
  if (node.operator === ts.SyntaxKind.MinusMinusToken)
    return [['operator', node, textOf(node).replace('--', '++')]];
  return [];
}

function changesOfExpression(node, textOf) {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [['literal', node, 'false']];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [['literal', node, 'true']];
  if (ts.isNumericLiteral(node) && !isKey(node)) return [['literal', node, `(${textOf(node)} + 1)`]];
  if (ts.isStringLiteralLike(node)) {
    if (isKey(node)) return [];
    return [['text', node, node.text === '' ? "'mutated'" : "''"]];
  }
  if (ts.isTemplateExpression(node)) return [['text', node, "''"]];
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) return [['content', node, '[]']];
  if (ts.isObjectLiteralExpression(node) && node.properties.length > 0) return [['content', node, '({})']];
  if (ts.isConditionalExpression(node))
    return ['true', 'false'].map((value) => ['condition', node.condition, value]);
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return [['result', node.body, 'undefined']];
  if (ts.isPropertyAccessExpression(node) && node.questionDotToken !== undefined)
    return [['chain', node.questionDotToken, '.']];
  if (ts.isCallExpression(node)) return changesOfCall(node, textOf);
  return [];
}

function changesOfCall(node, textOf) {
  if (!ts.isPropertyAccessExpression(node.expression)) return [];
  const { name, expression } = node.expression;
  const changes = [];
  if (Object.hasOwn(methods, name.text)) changes.push(['method', name, methods[name.text]]);
  if (removable.has(name.text)) changes.push(['method', node, textOf(expression)]);
  return changes;
}

function changesOfStatement(node, textOf) {
  if (ts.isIfStatement(node))
    return [`!(${textOf(node.expression)})`, 'true', 'false'].map((value) => [
      'condition',
      node.expression,
      value,
    ]);
  if (ts.isWhileStatement(node)) return [['condition', node.expression, 'false']];
  if (ts.isForStatement(node) && node.condition !== undefined)
    return [['condition', node.condition, 'false']];
  if (ts.isReturnStatement(node) && node.expression !== undefined && textOf(node.expression) !== 'undefined')
    return [['result', node, 'return undefined;']];
  if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) return [['removed', node, ';']];
  if (ts.isBreakStatement(node) || ts.isContinueStatement(node)) return [['removed', node, ';']];
  if (ts.isBlock(node) && node.statements.length > 0 && !isArmOf(node)) return [['removed', node, '{}']];
  return [];
}

/** The arm of an `if` is changed by its condition. */
function isArmOf(block) {
  return ts.isIfStatement(block.parent);
}

/** The name of a property, an index of a constant object, a module's name: changed, they do not compile or are another program. */
function isKey(node) {
  const { parent } = node;
  return (
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isEnumMember(parent)
  );
}
