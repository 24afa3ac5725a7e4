import { useNavigate } from 'react-router'
import { withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import type { Verbs } from '#kit/web/verb.tsx'
import { inUse } from '#modules/estates/contract/estate.ts'
import {
  deleteFormulas,
  feeFormula,
  listFormulas,
  oneFormula,
  turnFormulas,
  type FeeFormula,
} from '../contract/formula.ts'
import { menu } from '../module.ts'
import { places, see } from './places.ts'
import { turns } from './turn.ts'

const fixed = (f: FeeFormula): string | undefined =>
  f.isSystem ? '内置公式不能删除' : f.standards ? `已用于 ${f.standards} 个收费标准` : undefined

const remove = withReason<FeeFormula>(deleteFormulas, {
  what: '个公式',
  name: f => f.name,
  presets: ['录入有误', '不再使用'],
  why: fixed,
})

const turn = turns<FeeFormula>(turnFormulas, '公式')

const shown = columns(listFormulas.output, [
  { key: 'name', identity: true },
  'formulaType',
  { key: 'expression', width: 360, grow: 2 },
  {
    key: 'variables',
    drop: 1,
    width: 180,
    render: f => f.variables?.join('、'),
    text: f => f.variables?.join('、') ?? '',
  },
  'isSystem',
  { key: 'standards', width: 64 },
  { key: 'remark', title: '备注', drop: 2 },
  'state',
])

const views = [
  { id: '', name: '全部公式', filter: {} },
  { id: 'own', name: '自定义', filter: { formulaType: ['custom'] } },
  { id: 'system', name: '内置', filter: { isSystem: true } },
]

export function Formulas() {
  const navigate = useNavigate()
  const verbs = (f: FeeFormula): Verbs => [
    {
      label: '编辑',
      may: menu.formula.may.edit,
      why: f.isSystem ? '内置公式不能修改' : undefined,
      run: () => navigate(see(places.editFormula, f.id)),
    },
    f.formulaType === 'custom' && {
      label: '复制为新公式',
      may: menu.formula.may.add,
      run: () => navigate(`${places.addFormula}?copy=${f.id}`),
    },
    {
      label: '用它新建标准',
      may: menu.standard.may.add,
      why: f.state === 'off' ? '公式已停用' : undefined,
      run: () => navigate(`${places.addStandard}?formula=${f.id}`),
    },
    turn.row(f),
    remove.row(f),
  ]
  return (
    <ListPage
      list={listFormulas}
      what="公式"
      name="fees/formulas"
      columns={shown}
      bar={['formulaType', 'isSystem', 'state']}
      views={views}
      primary={{ label: '新增公式', may: menu.formula.may.add, run: () => navigate(places.addFormula) }}
      row={verbs}
      batch={[...turn.batch, remove.batch]}
      untickable={f => (f.isSystem ? '内置公式' : undefined)}
      dim={f => f.state === 'off'}
      drawer={{
        title: f => f.name,
        status: f => <Choice of={inUse} value={f.state} />,
        one: oneFormula,
        groups: [
          {
            keys: [
              'formulaType',
              'expression',
              'variables',
              'parameters',
              'tests',
              'isSystem',
              'standards',
              'remark',
              'createTime',
              'updateTime',
            ],
          },
        ],
        history: feeFormula.name,
        verbs,
      }}
    />
  )
}
