import { useNavigate } from 'react-router'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import type { Actions } from '#kit/web/action.tsx'
import { enabledState } from '#modules/estates/contract/estate.ts'
import {
  deleteFormulas,
  feeFormula,
  listFormulas,
  getFormula,
  setFormulaState,
  type FeeFormula,
} from '../contract/formula.ts'
import { menu } from '../module.ts'
import { paths, pathWithId } from './paths.ts'
import { createStateActions } from './state-actions.ts'

const deleteRefusal = (f: FeeFormula): string | undefined =>
  f.isSystem ? '内置公式不能删除' : f.standards ? `已用于 ${f.standards} 个收费标准` : undefined

const deleteAction = createReasonAction<FeeFormula>(deleteFormulas, {
  unit: '个公式',
  nameOf: f => f.name,
  reasonPresets: ['录入有误', '不再使用'],
  disabledReason: deleteRefusal,
})

const stateActions = createStateActions<FeeFormula>(setFormulaState, '公式')

const listColumns = buildColumns(listFormulas.output, [
  { key: 'name', identity: true },
  'formulaType',
  { key: 'expression', width: 360, grow: 2 },
  {
    key: 'variables',
    hidePriority: 1,
    width: 180,
    render: f => f.variables?.join('、'),
    text: f => f.variables?.join('、') ?? '',
  },
  'isSystem',
  { key: 'standards', width: 64 },
  { key: 'remark', hidePriority: 2 },
  'state',
])

const views = [
  { id: '', name: '全部公式', filter: {} },
  { id: 'own', name: '自定义', filter: { formulaType: ['custom'] } },
  { id: 'system', name: '内置', filter: { isSystem: true } },
]

export function Formulas() {
  const navigate = useNavigate()
  const rowActions = (formula: FeeFormula): Actions => [
    {
      label: '编辑',
      needs: menu.formula.permissions.edit,
      disabledReason: formula.isSystem ? '内置公式不能修改' : undefined,
      run: () => navigate(pathWithId(paths.editFormula, formula.id)),
    },
    formula.formulaType === 'custom' && {
      label: '复制为新公式',
      needs: menu.formula.permissions.add,
      run: () => navigate(`${paths.addFormula}?copy=${formula.id}`),
    },
    {
      label: '用它新建标准',
      needs: menu.standard.permissions.add,
      disabledReason: formula.state === 'off' ? '公式已停用' : undefined,
      run: () => navigate(`${paths.addStandard}?formula=${formula.id}`),
    },
    stateActions.row(formula),
    deleteAction.row(formula),
  ]
  return (
    <ListPage
      list={listFormulas}
      itemName="公式"
      settingsKey="fees/formulas"
      columns={listColumns}
      barFilters={['formulaType', 'isSystem', 'state']}
      views={views}
      primaryAction={{
        label: '新增公式',
        needs: menu.formula.permissions.add,
        run: () => navigate(paths.addFormula),
      }}
      rowActions={rowActions}
      batchActions={[...stateActions.batch, deleteAction.batch]}
      unselectableReason={f => (f.isSystem ? '内置公式' : undefined)}
      isDimmed={f => f.state === 'off'}
      drawer={{
        title: f => f.name,
        status: f => <ChoiceStatus choices={enabledState} value={f.state} />,
        loadCall: getFormula,
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
        historyEntity: feeFormula.name,
        actions: rowActions,
      }}
    />
  )
}
