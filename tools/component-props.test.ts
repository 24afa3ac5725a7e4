import type { Node } from 'oxc-parser'
import { expect, it } from 'vitest'
import { nodesOf, parsed, sourceFiles } from './syntax-tree.ts'

const isCapital = (name: string): boolean => /^[A-Z]/.test(name)

/** The function that a node declares as a component: by its own name, or by that of a constant. */
function componentOf(node: Node): { readonly name: string; readonly params: readonly Node[] } | undefined {
  if (node.type === 'FunctionDeclaration' && node.id && isCapital(node.id.name))
    return { name: node.id.name, params: node.params }
  return node.type === 'VariableDeclarator' &&
    node.id.type === 'Identifier' &&
    isCapital(node.id.name) &&
    node.init?.type === 'ArrowFunctionExpression'
    ? { name: node.id.name, params: node.init.params }
    : undefined
}

/** Components that take a prop `key`: React keeps it for itself, they never get it. */
const componentsWithKey = (nodes: readonly Node[]): string[] =>
  nodes.flatMap(node => {
    const component = componentOf(node)
    const [props] = component?.params ?? []
    if (!component || props?.type !== 'ObjectPattern') return []
    const takesKey = props.properties.some(
      property =>
        property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === 'key',
    )
    return takesKey ? [component.name] : []
  })

it('no component takes a prop that React keeps for itself', () => {
  const sample = nodesOf('sample.tsx', 'const End = ({ key }) => <i>{key}</i>; const end = ({ key }) => key')
  expect(componentsWithKey(sample)).toEqual(['End'])
  const found = sourceFiles
    .filter(file => file.endsWith('.tsx'))
    .flatMap(file => componentsWithKey(parsed(file)).map(name => `${file} ${name}`))
  expect(found).toEqual([])
})

/** What a file imports by name from the library whose calendars lose what is being typed. */
const calendarsIn = (nodes: readonly Node[]): string[] =>
  nodes.flatMap(node =>
    node.type === 'ImportDeclaration' && node.source.value === 'antd' && node.importKind !== 'type'
      ? node.specifiers
          .map(({ local }) => local.name)
          .filter(name => /^(Date|Time)Picker$|^Calendar$/.test(name))
      : [],
  )

it('calendars are those of the kit, which keep what is typed while a screen is drawn again', () => {
  const sample = nodesOf('sample.tsx', "import { Button, DatePicker } from 'antd'")
  expect(calendarsIn(sample)).toEqual(['DatePicker'])
  const found = sourceFiles
    .filter(file => file.endsWith('.tsx'))
    .flatMap(file => calendarsIn(parsed(file)).map(name => `${file} ${name}`))
  expect(found).toEqual([
    'kit/web/antd-date-picker.tsx DatePicker',
    'kit/web/antd-date-picker.tsx TimePicker',
  ])
})
