import { defined } from '#kit/domain/defined.ts'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { screenAction } from '#kit/web/screen-action.ts'
import type { Actions } from '#kit/web/action.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import {
  deleteRelations,
  editRelation,
  listRelations,
  getRelation,
  stopRelations,
} from '../contract/relation-calls.ts'
import { relationState } from '../contract/choices.ts'
import { feeRelation, type FeeRelation } from '../contract/relation.ts'
import { exportRelations, importRelations } from '../contract/transfer.ts'
import { menu } from '../module.ts'
import { relationDetailGroups } from './form-groups.ts'
import { paths } from './paths.ts'
import { PayerControl } from './payer-control.tsx'

const ResumeDialog = lazyComponent(() => import('./relation-dialogs.tsx').then(m => m.ResumeDialog))
const EndDialog = lazyComponent(() => import('./relation-dialogs.tsx').then(m => m.EndDialog))
const nameRelation = (r: FeeRelation): string => `${r.sourceName} ${r.standardName ?? ''}`

const deleteAction = createReasonAction<FeeRelation>(deleteRelations, {
  unit: '个收费关联',
  nameOf: nameRelation,
  consequences: ['已有账单的不会删除，请改为结束收费'],
  reasonPresets: ['绑定有误', '重复绑定'],
})

const stopAction = createReasonAction<FeeRelation>(stopRelations, {
  label: '停收',
  unit: '个收费关联',
  nameOf: nameRelation,
  consequences: ['停收期间不出账；恢复时可以选择补收或不补收'],
  reasonPresets: ['空关', '争议处理中', '整改期间'],
  disabledReason: r =>
    r.state === 'charging' ? undefined : r.state === 'suspended' ? '已是停收' : '已结束收费',
})

const listColumns = buildColumns(listRelations.output, [
  { key: 'sourceName', identity: true, width: 128 },
  { key: 'sourceType', width: 88 },
  'feeItemName',
  { key: 'standardName', grow: 1 },
  'price',
  'beginDate',
  { key: 'endDate', hidePriority: 1 },
  'billedTo',
  { key: 'priceOverride', hiddenByDefault: true },
  { key: 'quantity', hiddenByDefault: true },
  { key: 'payerName', hiddenByDefault: true },
  { key: 'createTime', title: '绑定时间', hiddenByDefault: true },
  'state',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'live', name: '收费中', filter: { onlyCurrent: true } },
  { id: 'suspended', name: '停收', filter: { state: ['suspended'] } },
  { id: 'own', name: '单价有覆盖', filter: { hasPriceOverride: true } },
  { id: 'places', name: '车位', filter: { sourceType: ['parkPlace'] } },
  { id: 'cars', name: '车辆', filter: { sourceType: ['car'] } },
  { id: 'areas', name: '公共区域', filter: { sourceType: ['publicArea'] } },
]

const formGroups: readonly FormFieldGroup[] = [
  { keys: ['standardId', 'beginDate', { key: 'endDate', help: '含当日；不填为长期' }] },
  {
    title: '该对象自己的',
    keys: [
      'priceOverride',
      'ratioOverride',
      'quantity',
      { key: 'free', help: '免收期内的天数不收，账期照常顺延；已出的账单不变，要免收请先作废' },
      {
        key: 'payerId',
        control: PayerControl,
        otherKeys: ['payerKind'],
        spreadValue: v => (typeof v === 'object' ? { ...v } : {}),
      },
      'remark',
    ],
  },
]

interface Props {
  readonly embedded?: boolean
  readonly fixed?: NonNullable<typeof listRelations.input.T>
}

type OpenDialog = { readonly kind: 'resume' | 'end'; readonly of: readonly FeeRelation[] }

/** Which object is charged by which standard, since when, and how far it is billed. */
/** Without what is the same in every row; the first tells the rows apart where the usual one is left out. */
function columnsBeside({ standardId, sourceCode }: Required<Props>['fixed']): typeof listColumns {
  const shown = listColumns.filter(
    column =>
      !(standardId && (column.key === 'feeItemName' || column.key === 'standardName')) &&
      !(sourceCode && (column.key === 'sourceType' || column.key === 'sourceName')),
  )
  return shown.some(column => column.identity)
    ? shown
    : shown.map((column, i) => (i === 0 ? { ...column, identity: true } : column))
}

export function Relations({ embedded = false, fixed = {} }: Props) {
  const navigate = useNavigate()
  const project = useProject()
  const [open, setOpen] = useState<OpenDialog>()
  const close = (): void => setOpen(undefined)
  const form = useEdit({
    itemName: '收费关联',
    edit: editRelation,
    load: getRelation,
    nameOf: nameRelation,
    groups: formGroups,
    presentation: 'drawer',
  })
  const columns = useMemo(
    () => columnsBeside(fixed),
    // Another object each time, of the same values.
    [fixed.standardId, fixed.sourceCode],
  )
  const rowActions = (relation: FeeRelation): Actions => [
    form.editAction(relation),
    relation.state === 'suspended'
      ? {
          label: '恢复收费',
          needs: menu.relation.permissions.stop,
          run: () => setOpen({ kind: 'resume', of: [relation] }),
        }
      : stopAction.row(relation),
    {
      label: '结束收费',
      needs: menu.relation.permissions.stop,
      disabledReason: relation.state === 'ended' ? '已结束收费' : undefined,
      run: () => setOpen({ kind: 'end', of: [relation] }),
    },
    deleteAction.row(relation),
  ]
  const view = embedded ? [defined(views[0])] : views
  return (
    <>
      <ListPage
        list={listRelations}
        itemName="收费关联"
        settingsKey={embedded ? 'fees/relations-in' : 'fees/relations'}
        columns={columns}
        keywordPlaceholder="房间/车位/名称"
        embedded={embedded}
        fixedFilter={fixed}
        filters={[
          'feeItemId',
          'standardId',
          'sourceType',
          'buildCode',
          'state',
          'onlyCurrent',
          'hasPriceOverride',
          'beginDate',
          'endDate',
          'billedTo',
          'createTime',
        ]}
        barFilters={embedded ? [] : ['feeItemId', 'standardId', 'buildCode']}
        views={view}
        import={project && !embedded ? importRelations : undefined}
        importInput={{ projectCode: project }}
        afterImport={screenAction(paths.generate, {}, '生成账单')}
        export={embedded ? undefined : exportRelations}
        primaryAction={
          !embedded && {
            label: '批量绑定',
            needs: menu.relation.permissions.batch,
            disabledReason: project ? undefined : '请先选择项目',
            run: () => navigate(paths.bind),
          }
        }
        rowActions={rowActions}
        isDimmed={r => r.state === 'ended'}
        batchActions={[
          stopAction.batch,
          {
            label: '恢复收费',
            needs: menu.relation.permissions.stop,
            disabledReason: t =>
              t.rows.every(r => r.state === 'suspended') ? undefined : '只能恢复停收的关联',
            run: t => setOpen({ kind: 'resume', of: t.rows }),
          },
          {
            label: '结束收费',
            needs: menu.relation.permissions.stop,
            run: t => setOpen({ kind: 'end', of: t.rows }),
          },
          deleteAction.batch,
        ]}
        drawer={{
          title: nameRelation,
          status: r => <ChoiceStatus choices={relationState} value={r.state} />,
          loadCall: getRelation,
          groups: relationDetailGroups,
          historyEntity: feeRelation.name,
          actions: row => [
            ...rowActions(row),
            screenAction(
              bindPaths[row.sourceType] ?? '',
              { codes: row.sourceCode, project: row.projectCode },
              '为它绑定标准',
            ),
          ],
        }}
      />
      {form.dialog}
      {open?.kind === 'resume' && <ResumeDialog record={open.of} onClose={close} />}
      {open?.kind === 'end' && <EndDialog record={open.of} onClose={close} />}
    </>
  )
}

/** Where one object's standards are bound. */
const bindPaths: Readonly<Partial<Record<FeeRelation['sourceType'], string>>> = {
  room: paths.roomStandards,
  parkPlace: paths.placeStandards,
  publicArea: paths.areaStandards,
}

export const RelationsPage = () => <Relations />
