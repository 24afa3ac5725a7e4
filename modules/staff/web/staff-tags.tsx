import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { staffTags } from '../contract/tag.ts'
import './staff.css'

/** 员工标签: a new name goes with those who carry it. */
export const pages = crudPages(staffTags, {
  unit: '个标签',
  deletion: {
    consequences: ['已添加该标签的员工同时移除该标签'],
    reasons: ['不再使用', '录入有误'],
  },
  columns: [
    { key: 'name', identity: true },
    {
      key: 'color',
      title: '效果预览',
      width: 96,
      render: x => (
        <span className="staff-tag" data-color={x.color ?? 'grey'}>
          {x.name}
        </span>
      ),
      text: x => x.name,
    },
    'sort',
    { key: 'createTime', title: '新增时间' },
  ],
  form: { groups: [{ keys: ['name', 'color', { key: 'sort', help: '数值小的排在前' }] }] },
  list: { filters: [] },
})
