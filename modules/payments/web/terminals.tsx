import { withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
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

const shown = columns(listTerminals.output, [
  { key: 'terminalNo', identity: true, width: 160 },
  { key: 'name', grow: 1 },
  { key: 'place', grow: 1, drop: 1 },
  { key: 'remark', grow: 1, drop: 2 },
  { key: 'createTime', title: '登记时间', drop: 1 },
  'enabled',
])

const remove = withReason<PosTerminal>(deleteTerminals, {
  what: '台 POS 机',
  name: t => t.name,
  follows: ['已发到这台机上的支付单不受影响'],
  presets: ['换机', '登记有误'],
})

/** POS 机: the card terminals of the projects. */
export default function TerminalsPage() {
  const form = useEdit({
    what: 'POS 机',
    add: addTerminal,
    edit: editTerminal,
    rowIsWhole: true,
    name: (t: PosTerminal) => t.name,
    groups: [
      {
        keys: ['terminalNo', 'name', { key: 'place', wide: true }, 'enabled', { key: 'remark', wide: true }],
      },
    ],
  })
  return (
    <>
      <ListPage
        list={listTerminals}
        what="POS 机"
        columns={shown}
        bar={['enabled']}
        filters={['enabled']}
        primary={form.add}
        row={t => [form.edit(t), remove.row(t)]}
        batch={[remove.batch]}
        dim={t => !t.enabled}
        drawer={{ title: t => t.name, history: posTerminal.name, verbs: t => [form.edit(t), remove.row(t)] }}
      />
      {form.dialog}
    </>
  )
}
