import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import {
  addStaffTag,
  deleteStaffTags,
  editStaffTag,
  listStaffTags,
  getStaffTag,
  staffTag,
  type StaffTag,
} from '../contract/tag.ts'
import './staff.css'

const deleteAction = createReasonAction<StaffTag>(deleteStaffTags, {
  unit: '个标签',
  nameOf: x => x.name,
  consequences: ['贴了这个标签的员工会同时去掉它'],
  reasonPresets: ['不再使用', '录入有误'],
})

const listColumns = buildColumns(listStaffTags.output, [
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
    itemName: '标签',
    add: addStaffTag,
    edit: editStaffTag,
    load: getStaffTag,
    nameOf: (x: StaffTag) => x.name,
    groups,
  })
  return (
    <>
      <ListPage
        list={listStaffTags}
        itemName="标签"
        columns={listColumns}
        filters={[]}
        primaryAction={form.addAction}
        rowActions={x => [form.editAction(x), deleteAction.row(x)]}
        batchActions={[deleteAction.batch]}
        drawer={{
          title: x => x.name,
          historyEntity: staffTag.name,
          actions: x => [form.editAction(x), deleteAction.row(x)],
        }}
      />
      {form.dialog}
    </>
  )
}
