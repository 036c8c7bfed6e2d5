// A page in Markdown with every key of a JSON schema: what it may be, whether it is needed, and its description.

/**
 * @param {Record<string, any>} schema whose definitions are objects (a section each) or values (described where they are used)
 * @returns {string}
 */
export function schemaReference(schema) {
  const objects = Object.entries(schema.definitions).filter(([, definition]) => isObject(definition));
  const parts = [
    `# ${schema.title}`,
    schema.description,
    'Comments and trailing commas are allowed. `NAME` in a key stands for a name of yours.',
    ...section(schema, schema),
    ...objects.flatMap(([name, definition]) => [`## ${name}`, ...section(schema, definition)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

const isObject = ({ properties }) => properties !== undefined;

function section(schema, definition) {
  const rows = keys(schema, definition, '').map((cells) => `| ${cells.join(' | ')} |`);
  return [
    ...(definition.description === undefined || definition === schema ? [] : [prose(definition.description)]),
    ['| key | value | meaning |', '|---|---|---|', ...rows].join('\n'),
  ];
}

/** Rows of the keys of an object and of the objects that are written inside of it. */
function keys(schema, { properties = {}, required = [], additionalProperties }, before) {
  const own = Object.entries(properties).map(([key, value]) => [key, value, required.includes(key)]);
  const free = typeof additionalProperties === 'object' && isObject(additionalProperties);
  return [...own, ...(free ? [['NAME', additionalProperties, false]] : [])].flatMap(
    ([key, value, isRequired]) => [
      [
        `\`${before}${key}\`${isRequired ? ' (required)' : ''}`,
        type(schema, value),
        [prose(value.description ?? ''), ...choices(value)].join(' '),
      ],
      ...keys(schema, value, `${before}${key}.`),
    ],
  );
}

function choices({ enum: values, enumDescriptions = [] }) {
  return enumDescriptions.map((description, at) => `\`${values[at]}\`: ${prose(description)}`);
}

const plainTypes = {
  string: 'text',
  boolean: '`true` or `false`',
  number: 'number',
  integer: 'whole number',
  object: 'object',
};

/** Which values a key takes, in words. */
function type(schema, value) {
  if (value.$ref !== undefined) return referred(schema, value.$ref.slice('#/definitions/'.length));
  if (value.const !== undefined) return `\`${JSON.stringify(value.const)}\``;
  if (value.enum !== undefined) return value.enum.map((one) => `\`${JSON.stringify(one)}\``).join(', ');
  const alternatives = value.anyOf ?? value.oneOf;
  if (alternatives !== undefined) return alternatives.map((one) => type(schema, one)).join(' or ');
  if (value.type === 'array') return `list of ${type(schema, value.items)}`;
  if (value.type === 'object' && !isObject(value) && typeof value.additionalProperties === 'object')
    return `object: by name ${type(schema, value.additionalProperties)}`;
  return `${plainTypes[value.type] ?? 'any'}${limits(value)}`;
}

function referred(schema, name) {
  const definition = schema.definitions[name];
  return isObject(definition) ? `[${name}](#${name})` : type(schema, definition);
}

function limits({ minimum, maximum, exclusiveMinimum }) {
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  if (minimum === undefined) return '';
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
    ? ` from ${minimum}`
    : ` from ${minimum} to ${maximum}`;
}

/** Text that is no Markdown, HTML or template, whatever is in it. */
function prose(text) {
  return text.replace(/[\\`*_{}[\]<>|#]/g, (character) => `&#${character.charCodeAt(0)};`);
}
