import { parseId } from '#kit/domain/id.ts'
import { useSearchParams } from 'react-router'
import { recordPath } from '#kit/contract/crud-screens.ts'
import type { Action } from '#kit/web/action.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import type { CrudExtras } from '#kit/web/crud/crud-spec.ts'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import type { Faults } from '#kit/web/form/use-form.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { screenAction, screenBatchAction } from '#kit/web/screen-action.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { parkPlaces, type ParkPlace } from '../contract/park-place.ts'
import { exportPlaces, importPlaces } from '../contract/import-export.ts'
import { placeState } from '../contract/labels.ts'
import { placeDateFault } from '../domain/place-state.ts'
import { menu, parkScreens, placeScreens } from '../module.ts'
import { PlaceCars } from './place-cars.tsx'
import { PlaceStateDialog } from './park-place-state-dialog.tsx'
import { paths } from './paths.ts'

const UnbindDialog = lazyComponent(() => import('./car-dialogs.tsx').then(m => m.UnbindDialog))

function usePlaceExtras(): CrudExtras<ParkPlace, unknown> {
  return {
    actions: p => [
      screenAction(paths.placeFeeStandards, { codes: p.code, project: p.projectCode }, '收费标准'),
    ],
    batch: [
      screenBatchAction<ParkPlace>(
        paths.placeFeeStandards,
        t => ({ codes: t.rows.map(p => p.code).join(','), project: t.rows[0]?.projectCode }),
        {
          label: '收费标准',
          maxRows: 100,
          disabledReason: rows =>
            new Set(rows.map(p => p.projectCode)).size > 1 ? '请只勾选同一个项目的' : undefined,
        },
      ),
    ],
  }
}

const seePark = ({ parkId }: ParkPlace): Action => ({
  label: '查看停车场',
  needs: menu.park.permissions.view,
  run: () => navigateTo(recordPath(parkScreens.paths.detail, parkId)),
})

/** The state is asked of a new place; later it has a dialog of its own. */
const formGroups: readonly FormFieldGroup[] = [
  {
    title: '车位',
    keys: [
      { key: 'parkId', deriveValues: () => ({ parentPlaceId: undefined }) },
      'placeNo',
      'code',
      'areaName',
      'placeType',
      { key: 'parentPlaceId', isHidden: v => v.placeType !== 'tandem' },
      'ownKind',
      'area',
      'carLimit',
    ],
  },
  { title: '使用', keys: ['placeState', 'roomCode', 'beginDate', 'endDate'] },
  { title: '其他', keys: ['remark'] },
]

function validatePlace(values: Partial<ParkPlace>): Faults {
  const dates = placeDateFault(values)
  return {
    ...(dates ? { endDate: dates } : {}),
    ...(values.placeState === 'let' && !values.endDate ? { endDate: '已租的车位请填写结束日期' } : {}),
  }
}

function useInitialPlace(): Partial<ParkPlace> {
  const [address] = useSearchParams()
  const parkId = parseId(address.get('park')) || undefined
  return parkId ? { parkId } : {}
}

const stateView = (state: keyof typeof placeState.rows, name: string) => ({
  id: state,
  name,
  filter: { placeState: [state] },
})

export const pages = crudPages(parkPlaces, {
  paths: placeScreens.paths,
  unit: '个车位',
  import: importPlaces,
  export: exportPlaces,
  actions: [
    { label: '变更状态', needs: menu.place.permissions.state, batch: true, dialog: PlaceStateDialog },
    {
      label: '解除车辆',
      needs: menu.car.permissions.edit,
      dialog: UnbindDialog,
      isOffered: place => place.placeState !== 'free' && place.placeState !== 'off',
      danger: true,
    },
  ],
  useExtras: usePlaceExtras,
  deletion: {
    consequences: ['只能删除空闲的车位；母车位要先删除它的子车位'],
    reasons: ['录入有误', '重复录入', '车位取消'],
    disabledReason: p => (p.placeState === 'free' ? undefined : '只能删除空闲的车位，请先改为空闲'),
  },
  arrange: ({ edit, see, remove }, extra, p, place) =>
    place === 'detail' ? [edit, ...extra, seePark(p)] : [edit, ...extra, see, remove],
  status: p => <ChoiceStatus choices={placeState} value={p.placeState} />,
  columns: [
    { key: 'placeNo', identity: true },
    'parkName',
    { key: 'areaName', hidePriority: 2 },
    'placeType',
    { key: 'ownKind', hidePriority: 1 },
    'area',
    'roomPath',
    'beginDate',
    'endDate',
    { key: 'carLimit', hidePriority: 1 },
    'placeState',
    { key: 'code', hiddenByDefault: true },
  ],
  list: {
    barFilters: ['parkId', 'placeState', 'placeType'],
    views: [
      { id: '', name: '全部车位', filter: {} },
      stateView('free', '空闲'),
      stateView('sold', '已售'),
      stateView('let', '已租'),
      stateView('off', '停用'),
    ],
  },
  detail: [
    {
      title: '车位',
      keys: ['code', 'parkName', 'areaName', 'placeType', 'ownKind', 'area', 'carLimit', 'parentPlaceNo'],
    },
    { title: '使用', keys: ['placeState', 'roomPath', 'beginDate', 'endDate'] },
    { title: '其他', keys: ['remark', 'createTime', 'updateTime'] },
  ],
  tabs: [
    {
      key: 'cars',
      label: '车辆',
      needs: menu.car.permissions.view,
      inDrawer: true,
      body: place => <PlaceCars place={place} />,
    },
  ],
  form: {
    presentation: 'drawer',
    opensNew: false,
    rules: validatePlace,
    useInitial: useInitialPlace,
    groups: formGroups,
  },
})
