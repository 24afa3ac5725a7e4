import { expect, it } from 'vitest'
import { call, everyone } from './call.ts'
import { crud } from './crud.ts'
import { entity } from './entity.ts'
import { choiceTable, text } from './field.ts'
import { declareContract } from './module-contract.ts'
import { noData, shape } from './shape.ts'

const right = { key: 'm.tool.view', module: 'm', menu: 'm.tool', flag: 'view', label: '工具·查看' }
const tool = entity(
  'tool',
  '工具',
  { table: 'tool', tenancy: 'company', title: 'name' },
  { name: text('名称') },
)
const tools = crud(tool, {
  path: 'Tool',
  permissions: { view: right, add: right, edit: right, del: right },
  operations: ['list', 'add'],
})
const defineCall = (route: `GET ${string}`) =>
  call({ route, title: '询问', needs: everyone, input: shape({}), output: noData })
const answer = defineCall('GET Tool/GetAnswer')
const grouped = defineCall('GET Tool/GetGrouped')
const kind = choiceTable('ToolKind', '种类', { hand: [1, '手动'] })

it('declares every call, entity and choice table that the files export, each once', () => {
  const declared = declareContract(
    {
      tool,
      addTool: tools.add,
      zebra: defineCall('GET Tool/GetZebra'),
      answer,
      tools,
      label: '工具',
      pick: () => tool,
      field: tool.fields.name,
    },
    { group: [grouped], grouped, kind, sameKind: kind },
  )
  expect(declared.calls.map(c => c.route)).toEqual([
    'GET Tool/Get',
    'POST Tool/Post',
    'GET Tool/GetGrouped',
    'GET Tool/GetAnswer',
    'GET Tool/GetZebra',
  ])
  expect(declared.entities).toEqual([tool])
  expect(declared.choices).toEqual([kind])
})
