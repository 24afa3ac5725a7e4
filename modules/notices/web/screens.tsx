import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { noticeScreensCrud } from '../contract/screen.ts'
import { menu } from '../module.ts'
import { ScreenLinkDialog } from './screen-link-dialog.tsx'

const { model } = crudPages(noticeScreensCrud, {
  unit: '块信息屏',
  deletion: { consequences: ['链接失效，信息屏不再显示公告与广告'], reasons: ['设备拆除', '录入有误'] },
  columns: [
    { key: 'screenName', identity: true, grow: 1 },
    { key: 'buildName', width: 120 },
    { key: 'position', width: 96 },
    { key: 'turnSeconds', width: 96, hidePriority: 2 },
    { key: 'seenTime', width: 150, hidePriority: 1 },
    'state',
  ],
  form: {
    presentation: 'dialog',
    groups: [{ keys: ['screenName', 'buildCode', 'position', 'turnSeconds', 'state'] }],
  },
  actions: [{ label: '链接', needs: menu.screen.permissions.link, dialog: ScreenLinkDialog }],
  drawer: false,
})

/** 信息屏: displays in lobbies, lifts and at doors. */
export const Screens = () => (
  <CrudList
    model={model}
    list={{
      embedded: true,
      pageSize: 15,
      barFilters: ['buildCode', 'position', 'state'],
      settingsKey: 'notices/screens',
    }}
  />
)
