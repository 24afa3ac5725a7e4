import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import {
  addTerminal,
  deleteTerminals,
  editTerminal,
  listTerminals,
  posTerminal,
  type PosTerminal,
} from '../contract/terminal.ts'

const listColumns = buildColumns(listTerminals.output, [
  { key: 'terminalNo', identity: true, width: 160 },
  { key: 'name', grow: 1 },
  { key: 'place', grow: 1, hidePriority: 1 },
  { key: 'remark', grow: 1, hidePriority: 2 },
  { key: 'createTime', title: '登记时间', hidePriority: 1 },
  'enabled',
])

const removeTerminals = createReasonAction<PosTerminal>(deleteTerminals, {
  unit: '台 POS 机',
  nameOf: t => t.name,
  consequences: ['已发到这台机上的支付单不受影响'],
  reasonPresets: ['换机', '登记有误'],
})

/** POS 机: the card terminals of the projects. */
export default function TerminalsPage() {
  const form = useEdit({
    itemName: 'POS 机',
    add: addTerminal,
    edit: editTerminal,
    isRowComplete: true,
    nameOf: (t: PosTerminal) => t.name,
    groups: [
      {
        keys: ['terminalNo', 'name', { key: 'place', wide: true }, 'enabled', 'remark'],
      },
    ],
  })
  return (
    <>
      <ListPage
        list={listTerminals}
        itemName="POS 机"
        columns={listColumns}
        barFilters={['enabled']}
        filters={['enabled']}
        primaryAction={form.addAction}
        rowActions={t => [form.editAction(t), removeTerminals.row(t)]}
        batchActions={[removeTerminals.batch]}
        isDimmed={t => !t.enabled}
        drawer={{
          title: t => t.name,
          historyEntity: posTerminal.name,
          actions: t => [form.editAction(t), removeTerminals.row(t)],
        }}
      />
      {form.dialog}
    </>
  )
}
