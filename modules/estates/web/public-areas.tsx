import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { screenAction } from '#kit/web/screen-action.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { exportPublicAreas, publicAreas, rentState } from '../contract/public-area.ts'
import { publicAreaScreens } from '../module.ts'
import { paths } from './paths.ts'

export const pages = crudPages(publicAreas, {
  paths: publicAreaScreens.paths,
  unit: '个公共区域',
  export: exportPublicAreas,
  deletion: { reasons: ['录入有误', '已改作他用'] },
  status: a => <ChoiceStatus choices={rentState} value={a.rentState} />,
  useExtras: () => ({
    actions: a => [
      screenAction(paths.areaFeeStandards, { codes: a.code, project: a.projectCode }, '收费标准'),
    ],
  }),
  arrange: ({ edit, see, remove }, extra, _, place) => [
    edit,
    place === 'list' && see,
    ...extra,
    place !== 'detail' && remove,
  ],
  columns: [
    { key: 'name', identity: true },
    'code',
    { key: 'estateName', hidePriority: 2 },
    'buildName',
    'areaType',
    'area',
    { key: 'position', hidePriority: 1 },
    'rentState',
  ],
  list: { barFilters: ['areaType', 'rentState', 'buildCode'] },
  form: {
    presentation: 'drawer',
    groups: [
      {
        keys: [
          'name',
          'code',
          'areaType',
          'buildCode',
          'area',
          'rentState',
          'position',
          { key: 'photos', control: imagesControl },
          'remark',
        ],
      },
    ],
  },
})
