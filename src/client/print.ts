/** A part’s text between two others, or nothing if the part is missing. */
function around(before: string, part: unknown, after = ''): string {
  const text = Array.isArray(part) ? part.map(printed).join(' ') : printed(part)
  return text && before + text + after
}

/**
 * Prints a syntax tree on one line. It supports only executable documents, so pages need not load graphql’s
 * printer.
 */
export function printed(node: unknown): string {
  if (typeof node !== 'object' || node === null) return ''
  const part = (name: string): unknown => Reflect.get(node, name)
  const name = () => printed(part('name'))
  const given = () => around('(', part('arguments'), ')')
  const rest = () => around(' ', part('directives')) + printed(part('selectionSet'))
  switch (part('kind')) {
    case 'Document':
      return around('', part('definitions'))
    case 'OperationDefinition':
      return `${part('operation')} ${name()}${around('(', part('variableDefinitions'), ')')}${rest()}`
    case 'FragmentDefinition':
      return `fragment ${name()} on ${printed(part('typeCondition'))}${rest()}`
    case 'VariableDefinition':
      return `${printed(part('variable'))}:${printed(part('type'))}${around('=', part('defaultValue'))}${rest()}`
    case 'SelectionSet':
      return around('{', part('selections'), '}')
    case 'Field':
      return around('', part('alias'), ':') + name() + given() + rest()
    case 'FragmentSpread':
      return `...${name()}${rest()}`
    case 'InlineFragment':
      return `...${around('on ', part('typeCondition'))}${rest()}`
    case 'Directive':
      return `@${name()}${given()}`
    case 'Argument':
    case 'ObjectField':
      return `${name()}:${printed(part('value'))}`
    case 'Variable':
      return `$${name()}`
    case 'NamedType':
      return name()
    case 'ListType':
      return around('[', part('type'), ']')
    case 'NonNullType':
      return around('', part('type'), '!')
    case 'ListValue':
      return `[${around('', part('values'))}]`
    case 'ObjectValue':
      return `{${around('', part('fields'))}}`
    case 'StringValue':
      return JSON.stringify(part('value')) // GraphQL’s escapes include JSON’s
    case 'NullValue':
      return 'null'
    default:
      return String(part('value')) // a name, a number, an enum’s value, a boolean
  }
}
