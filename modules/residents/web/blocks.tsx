import { withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { addBlock, deleteBlocks, listBlocks, residentBlock, type ResidentBlock } from '../contract/block.ts'

const remove = withReason<ResidentBlock>(deleteBlocks, {
  verb: '移出',
  what: '条黑名单',
  name: b => b.name,
  presets: ['已解除限制', '登记有误'],
})

const shown = columns(listBlocks.output, [
  { key: 'name', identity: true },
  'mobile',
  'scope',
  { key: 'reason', grow: 1 },
  { key: 'expireDate', render: b => b.expireDate ?? '永久', text: b => b.expireDate ?? '永久' },
  { key: 'createTime', title: '加入时间', drop: 1 },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'live', name: '有效', filter: { live: true } },
]

const groups = [
  {
    keys: [
      { key: 'userId', help: '不是住户的人可以不选' },
      'name',
      'mobile',
      'certNo',
      { key: 'scope', wide: true },
      'expireDate',
      { key: 'reason', wide: true },
    ],
  },
]

/** Who is kept out, from what, why and until when (BASE-15). */
export default function BlocksPage() {
  const form = useEdit({
    what: '黑名单',
    add: addBlock,
    name: (b: ResidentBlock) => b.name,
    groups,
    as: 'drawer',
  })
  return (
    <>
      <ListPage
        list={listBlocks}
        what="黑名单"
        columns={shown}
        views={views}
        bar={['scope']}
        primary={form.add}
        row={b => [remove.row(b)]}
        batch={[remove.batch]}
        drawer={{ title: b => b.name, history: residentBlock.name, verbs: b => [remove.row(b)] }}
      />
      {form.dialog}
    </>
  )
}
