import { withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { addTag, deleteTags, editTag, listTags, oneTag, staffTag, type StaffTag } from '../contract/tag.ts'
import './staff.css'

const remove = withReason<StaffTag>(deleteTags, {
  what: '个标签',
  name: x => x.name,
  follows: ['贴了这个标签的员工会同时去掉它'],
  presets: ['不再使用', '录入有误'],
})

const shown = columns(listTags.output, [
  { key: 'name', identity: true },
  {
    key: 'color',
    width: 96,
    render: x => (
      <span className="staff-tag" data-color={x.color ?? 'grey'}>
        {x.name}
      </span>
    ),
    text: x => x.name,
    title: '样子',
  },
  'sort',
  { key: 'createTime', title: '新增时间' },
])

const groups = [{ keys: ['name', 'color', { key: 'sort', help: '小的排在前面' }] }]

/** 员工标签: a new name goes with those who carry it. */
export default function StaffTagsPage() {
  const form = useEdit({
    what: '标签',
    add: addTag,
    edit: editTag,
    one: oneTag,
    name: (x: StaffTag) => x.name,
    groups,
  })
  return (
    <>
      <ListPage
        list={listTags}
        what="标签"
        columns={shown}
        filters={[]}
        primary={form.add}
        row={x => [form.edit(x), remove.row(x)]}
        batch={[remove.batch]}
        drawer={{ title: x => x.name, history: staffTag.name, verbs: x => [form.edit(x), remove.row(x)] }}
      />
      {form.dialog}
    </>
  )
}
