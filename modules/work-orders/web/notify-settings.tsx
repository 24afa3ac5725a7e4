import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { orderNotifies } from '../contract/settings.ts'

const { model } = crudPages(orderNotifies, {
  unit: '个通知人',
  itemName: '通知人',
  nameOf: row => row.managerName ?? '',
  form: {
    groups: [
      {
        keys: [
          { key: 'managerId', wide: true },
          'events',
          { key: 'projectCodes', wide: true },
          { key: 'typeIds', wide: true },
          'isOn',
        ],
      },
    ],
    presentation: 'drawer',
  },
  columns: [
    { key: 'managerName', identity: true, width: 120 },
    { key: 'events', width: 260, grow: 1 },
    { key: 'projectCodes', width: 160, grow: 1 },
    'isOn',
  ],
})

/** 通知人: who is notified of orders of others. */
export const NotifySettings = () => <CrudList model={model} list={{ embedded: true, pageSize: 15 }} />
