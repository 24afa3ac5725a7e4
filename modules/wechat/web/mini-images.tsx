import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { wechatMiniImages } from '../contract/mini-image.ts'

export const pages = crudPages(wechatMiniImages, {
  unit: '张图片',
  deletion: { consequences: ['小程序不再显示该图片'], reasons: ['不再使用', '录入有误'] },
  columns: [
    { key: 'title', identity: true, grow: 2 },
    { key: 'position', width: 110 },
    {
      key: 'estateName',
      width: 140,
      grow: 1,
      text: row => row.estateName ?? '全部项目',
      render: row => row.estateName ?? '全部项目',
    },
    { key: 'linkUrl', grow: 2, hidePriority: 1 },
    { key: 'sort', width: 72 },
    'state',
  ],
  detail: [{ keys: ['position', 'estateName', 'linkUrl', 'sort', { key: 'image', wide: true }] }],
  form: {
    presentation: 'dialog',
    groups: [
      { keys: ['title', 'position', { key: 'image', wide: true }, 'linkUrl', 'estateCode', 'sort', 'state'] },
    ],
  },
  list: { barFilters: ['position', 'state'] },
})
