import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { download } from '#kit/web/send.ts'
import {
  cleaningLocations,
  exportLocations,
  importLocations,
  printLocationLabels,
} from '../contract/location.ts'
import { menu, paths } from '../module.ts'

const printLabels = (input: object): Promise<string> =>
  download(printLocationLabels, { ...input, address: location.origin })

/** 保洁点位: places that are cleaned and inspected, with their signs. */
export const pages = crudPages(cleaningLocations, {
  paths: { list: paths.locations },
  unit: '个保洁点位',
  import: importLocations,
  export: exportLocations,
  deletion: { reasons: ['录入有误', '重复录入', '已取消'] },
  columns: [
    { key: 'locationName', identity: true, grow: 1 },
    { key: 'estateName', hidePriority: 2 },
    'buildName',
    'floorNum',
    { key: 'templateName', grow: 1 },
    'staffName',
    { key: 'remark', grow: 1, hidePriority: 1 },
    'state',
  ],
  list: { barFilters: ['buildCode', 'templateId', 'staffId'], isDimmed: point => point.state === 'off' },
  actions: [
    {
      label: '打印二维码',
      needs: menu.location.permissions.label,
      run: point => printLabels({ ids: [String(point.id)] }),
    },
  ],
  useExtras: () => ({
    batch: [
      {
        label: '打印二维码',
        needs: menu.location.permissions.label,
        acceptsAllMatching: true,
        run: selected =>
          printLabels(selected.allMatching ? selected.allMatching.filter : { ids: selected.ids }),
      },
    ],
  }),
  form: {
    presentation: 'dialog',
    groups: [{ keys: ['locationName', 'buildCode', 'floorNum', 'templateId', 'staffId', 'state', 'remark'] }],
  },
})
