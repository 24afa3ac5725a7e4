import { useState } from 'react'
import { parseId, type Id } from '#kit/domain/id.ts'
import { FooterActions, RowActions, useAllowedActions, type Action } from '#kit/web/action.tsx'
import { buildColumns } from '#kit/web/columns.tsx'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { permissionOf, useEdit } from '#kit/web/form/use-edit.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { send } from '#kit/web/send.ts'
import { DataTable } from '#kit/web/table/data-table.tsx'
import {
  addTypeSet,
  getTypeSettings,
  orderTypes,
  saveTypeLimitsBatch,
  type OrderType,
} from '../contract/order-type.ts'
import { formatMinutes } from './time-left.ts'
import './settings.css'

type TypeRow = NonNullable<typeof getTypeSettings.output.T>[number]

/** The tree from above, each type before those under it, with how deep it lies. */
function flatten(rows: readonly TypeRow[], parent: Id = 0, depth = 0): [row: TypeRow, depth: number][] {
  return rows
    .filter(row => (row.parentId ?? 0) === parent)
    .flatMap(row => [[row, depth] as [TypeRow, number], ...flatten(rows, row.id, depth + 1)])
}

const timesOf = (row: TypeRow): string =>
  [row.responseMinutes, row.arriveMinutes, row.finishMinutes]
    .map(m => (m === undefined ? '--' : formatMinutes(m)))
    .join(' / ')

const serviceOf = (row: TypeRow): string =>
  row.is24h
    ? '24 小时'
    : `${row.serviceBegin ?? ''}–${row.serviceEnd ?? ''}${row.workdaysOnly ? ' 工作日' : ''}`

const columnsOf = (depthOf: ReadonlyMap<Id, number>) =>
  buildColumns(getTypeSettings.output, [
    {
      key: 'typeName',
      title: '类型',
      width: 180,
      grow: 1,
      identity: true,
      render: row => (
        <span style={{ paddingInlineStart: (depthOf.get(row.id) ?? 0) * 20 }}>{row.typeName}</span>
      ),
    },
    'category',
    'dispatchMode',
    { key: 'times', title: '响应 / 到场 / 完成', width: 200, render: timesOf, text: timesOf },
    { key: 'service', title: '服务时间', width: 130, render: serviceOf, text: serviceOf, hidePriority: 1 },
    { key: 'needAudit', width: 70, hidePriority: 2 },
    { key: 'needAccept', width: 70, hidePriority: 2 },
    { key: 'isCharge', width: 76, hidePriority: 2 },
    'personCount',
    'openCount',
    'state',
  ])

const groups = [
  {
    keys: [
      'parentId',
      'typeName',
      'typeCode',
      'category',
      'dispatchMode',
      'sort',
      'needAudit',
      'needAccept',
      'needVisit',
      'state',
    ],
  },
  {
    title: '时限',
    keys: [
      'is24h',
      'workdaysOnly',
      { key: 'serviceBegin', isHidden: (v: OrderType) => v.is24h },
      { key: 'serviceEnd', isHidden: (v: OrderType) => v.is24h },
      'responseMinutes',
      'urgentResponseMinutes',
      'arriveMinutes',
      'urgentArriveMinutes',
      'finishMinutes',
      'urgentFinishMinutes',
      'photoCount',
      'evaluateDays',
    ],
  },
  {
    title: '收费与质保',
    keys: [
      'isCharge',
      { key: 'feeItemId', isHidden: (v: OrderType) => !v.isCharge },
      { key: 'prices', isHidden: (v: OrderType) => !v.isCharge },
      'warrantyDays',
      'remark',
    ],
  },
]

const remove = createReasonAction<TypeRow>(orderTypes.delete, {
  unit: '个类型',
  nameOf: row => row.typeName,
  reasonPresets: ['录入有误', '不再受理'],
})

const InitDialog = actionDialog({
  call: addTypeSet,
  title: () => '初始化工单类型',
  submitLabel: '添加类型',
  keys: ['typeSet'],
  target: (_: null) => ({}),
  below: () => <p>添加所选模板的常用类型，已有的类型不改动</p>,
  doneText: (_, { added, skipped }) => `新增 ${added} 个类型，已有 ${skipped} 个`,
})

const BatchDialog = actionDialog({
  call: saveTypeLimitsBatch,
  title: (ids: readonly string[]) => `批量设置 ${ids.length} 个类型`,
  submitLabel: '保存设置',
  keys: [
    'dispatchMode',
    'evaluateDays',
    'serviceBegin',
    'serviceEnd',
    'responseMinutes',
    'urgentResponseMinutes',
    'arriveMinutes',
    'urgentArriveMinutes',
    'finishMinutes',
    'urgentFinishMinutes',
    'photoCount',
  ],
  target: ids => ({ ids }),
  below: () => <p>未填写的项目保持各类型原来的设置</p>,
  doneText: () => '已保存',
  presentation: 'drawer',
})

/** 工单类型: the tree with what each type asks; one by one, or many at once. */
export function TypeSettings() {
  const types = useCall(getTypeSettings, undefined, { quiet: true, staleMs: 0 })
  const [chosen, setChosen] = useState<ReadonlySet<Id>>(new Set())
  const [dialog, setDialog] = useState<'init' | 'batch'>()
  const allowed = useAllowedActions()
  const form = useEdit({
    itemName: '工单类型',
    add: orderTypes.save,
    edit: orderTypes.save,
    load: orderTypes.get,
    isRowComplete: true,
    nameOf: (row: OrderType) => row.typeName,
    groups,
    presentation: 'drawer',
  })
  const ids = [...chosen].map(String)
  const edit = async (id: Id): Promise<void> => form.openEdit(await send(orderTypes.get, { id }))
  const toolbar = allowed([
    form.addAction,
    { label: '初始化', needs: permissionOf(addTypeSet), run: () => setDialog('init') },
    {
      label: '批量设置',
      needs: permissionOf(saveTypeLimitsBatch),
      disabledReason: chosen.size ? undefined : '先勾选类型',
      run: () => setDialog('batch'),
    },
  ])
  const rowActions = (row: TypeRow, depth: number): Action[] => [
    { label: '编辑', needs: permissionOf(orderTypes.save), run: () => edit(row.id) },
    {
      label: '新增下级',
      needs: permissionOf(orderTypes.save),
      disabledReason: depth >= 2 ? '最多三级' : undefined,
      run: () => form.openCreate({ parentId: row.id, category: row.category }),
    },
    remove.row(row),
  ]
  return (
    <div className="setting-table">
      <header>
        <FooterActions actions={toolbar} />
      </header>
      <Loaded query={types} height={400} rows={10} keepsAnswer>
        {answer => {
          const tree = flatten(answer)
          const rows = tree.map(([row]) => row)
          const depthOf = new Map(tree.map(([row, depth]) => [row.id, depth]))
          const setSelected = (indexes: readonly number[], on: boolean): void => {
            const next = new Set(chosen)
            for (const index of indexes) {
              const id = parseId(rows[index]?.id)
              if (on) {
                next.add(id)
              } else {
                next.delete(id)
              }
            }
            setChosen(next)
          }
          return (
            <DataTable
              rows={rows}
              columns={columnsOf(depthOf)}
              keyOf={row => row.id}
              label="工单类型"
              selection={{
                isSelected: id => chosen.has(parseId(id)),
                isAllSelected: rows.length > 0 && rows.every(row => chosen.has(row.id)),
                isSomeSelected: chosen.size > 0,
                setSelected,
              }}
              actions={row => <RowActions actions={allowed(rowActions(row, depthOf.get(row.id) ?? 0))} />}
              actionsWidth={92}
              isDimmed={row => row.state === 'off'}
              placeholder={<Empty text="暂无工单类型，可先初始化常用类型" />}
            />
          )
        }}
      </Loaded>
      {form.dialog}
      {dialog === 'init' && <InitDialog record={null} onClose={() => setDialog(undefined)} />}
      {dialog === 'batch' && (
        <BatchDialog
          record={ids}
          onClose={() => setDialog(undefined)}
          onDone={() => {
            setDialog(undefined)
            setChosen(new Set())
          }}
        />
      )}
    </div>
  )
}
