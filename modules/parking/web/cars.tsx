import { recordPath } from '#kit/contract/crud-screens.ts'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import type { CrudExtras } from '#kit/web/crud/crud-spec.ts'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import type { Faults } from '#kit/web/form/use-form.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { usePermission } from '#kit/web/session.ts'
import { screenAction } from '#kit/web/screen-action.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { adjustValidity, cancelCars, checkCars, resumeCars, suspendCars } from '../contract/car-actions.ts'
import { exportCars, importCars } from '../contract/car-sheet.ts'
import { cars, type Car } from '../contract/car.ts'
import { carState, type CarState } from '../contract/car-labels.ts'
import { carDaysFault, carOwnerFault } from '../domain/car-state.ts'
import { carScreens, menu, placeScreens } from '../module.ts'
import { carTabs } from './public.car-tabs.ts'
import { paths } from './paths.ts'

const BlackListDialog = lazyComponent(() => import('./car-dialogs.tsx').then(m => m.BlackListDialog))
const BlackDialog = lazyComponent(() => import('./car-dialogs.tsx').then(m => m.BlackDialog))
const WhiteDialog = lazyComponent(() => import('./car-dialogs.tsx').then(m => m.WhiteDialog))
const CarValidityList = lazyComponent(() => import('./car-validity.tsx').then(m => m.CarValidityList))

type Owner = Pick<Partial<Car>, 'userId' | 'companyId'>

const isIn =
  (...states: readonly CarState[]) =>
  ({ carState: state }: Car): boolean =>
    states.includes(state)

const stateView = (state: CarState, name: string) => ({
  id: state,
  name,
  filter: { carState: [state] },
})

const formGroups: readonly FormFieldGroup[] = [
  { title: '车辆', keys: ['plateNo', 'plateColor', 'carKind', 'carModel', 'carColor', 'license'] },
  {
    title: '车主',
    keys: [
      { key: 'userId', isHidden: (v: Owner) => v.companyId !== undefined },
      {
        key: 'companyId',
        isHidden: (v: Owner) => v.userId !== undefined,
        deriveValues: () => ({ workerId: undefined }),
      },
      { key: 'workerId', isHidden: (v: Owner) => v.companyId === undefined },
      {
        key: 'ownerName',
        isHidden: (v: Owner & { readonly workerId?: number }) => Boolean(v.userId ?? v.workerId),
        help: '未登记的车主填写姓名',
      },
      {
        key: 'mobile',
        isHidden: (v: Owner & { readonly workerId?: number }) => Boolean(v.userId ?? v.workerId),
      },
      'roomCode',
    ],
  },
  {
    title: '通行',
    keys: [
      { key: 'parkIds', wide: true },
      { key: 'placeId', help: '已售、已租、自用的车位' },
      'beginDate',
      { key: 'endDate', help: '当天仍有效；月租车、访客车必填，登记后用“调整有效期”变更' },
      'feeStandardId',
    ],
  },
  { title: '其他', keys: [{ key: 'remark', wide: true }] },
]

function validateCar(values: Partial<Car>): Faults {
  const owner = carOwnerFault(values)
  const days = values.id === undefined ? carDaysFault(values) : undefined
  return {
    ...(owner ? { [values.userId ? 'companyId' : 'ownerName']: owner } : {}),
    ...(days ? { endDate: days } : {}),
  }
}

function useCarExtras(): CrudExtras<Car, unknown> {
  const hasPermission = usePermission()
  const tabs = carTabs
    .useAll()
    .filter(({ needs }) => hasPermission(needs))
    .map(({ key, label, Body }) => ({ key, label, inDrawer: true, body: (car: Car) => <Body car={car} /> }))
  return { tabs, actions: monthCardActions }
}
/** Months are sold to cars that are in use and have a last day. */
const canRenew = (row: Car): boolean =>
  isIn('normal', 'expired')(row) && row.endDate !== undefined && row.carKind !== 'visitor'

const monthCardActions = (row: Car) => [
  canRenew(row) && screenAction(paths.renewal, { car: row.id, project: row.projectCode }, '月卡续费'),
  screenAction(paths.monthOrders, { carId: row.id }, '月卡订单'),
]

export const pages = crudPages(cars, {
  paths: carScreens.paths,
  unit: '辆车',
  useExtras: useCarExtras,
  import: importCars,
  export: exportCars,
  status: row => <ChoiceStatus choices={carState} value={row.carState} />,
  toolbar: [{ label: '加入黑名单', needs: menu.car.permissions.black, dialog: BlackListDialog }],
  actions: [
    {
      label: '审核',
      call: checkCars,
      keys: ['pass', 'reason'],
      initial: () => ({ pass: true }),
      isOffered: isIn('pending'),
      batch: rows => (rows.every(isIn('pending')) ? undefined : '只能审核待审核的车辆'),
    },
    {
      label: '调整有效期',
      call: adjustValidity,
      keys: ['beginDate', 'endDate', { key: 'reason', wide: true }],
      initial: one => (one ? { beginDate: one.beginDate, endDate: one.endDate } : {}),
      isOffered: row => row.carState !== 'cancelled',
      batch: true,
    },
    {
      label: '拉黑',
      needs: menu.car.permissions.black,
      dialog: BlackDialog,
      isOffered: isIn('pending', 'normal', 'expired', 'suspended'),
      danger: true,
    },
    {
      label: '移出黑名单',
      needs: menu.car.permissions.black,
      dialog: WhiteDialog,
      isOffered: isIn('blocked'),
    },
    {
      label: '停用',
      call: suspendCars,
      keys: [{ key: 'reason', wide: true }],
      isOffered: isIn('normal', 'expired'),
      batch: rows =>
        rows.every(isIn('normal', 'expired')) ? undefined : '只能停用正常、已到期的车辆；黑名单的请先移出',
    },
    {
      label: '恢复',
      call: resumeCars,
      keys: [{ key: 'reason', wide: true }],
      isOffered: isIn('suspended'),
    },
    {
      label: '注销',
      call: cancelCars,
      keys: [{ key: 'reason', wide: true }],
      isOffered: isIn('pending', 'normal', 'expired', 'suspended'),
      danger: true,
      batch: rows => (rows.some(isIn('blocked')) ? '黑名单中的车辆请先移出黑名单' : undefined),
    },
    {
      label: '查看车位',
      needs: menu.place.permissions.view,
      isOffered: row => row.placeId !== undefined,
      run: row => row.placeId && navigateTo(recordPath(placeScreens.paths.detail, row.placeId)),
    },
  ],
  deletion: {
    consequences: ['只能删除待审核、已注销的车辆'],
    reasons: ['录入有误', '重复录入'],
    disabledReason: row =>
      isIn('pending', 'cancelled')(row) ? undefined : '只能删除待审核、已注销的车辆，请先注销',
  },
  columns: [
    { key: 'plateNo', identity: true },
    'carKind',
    'ownerName',
    { key: 'mobile', width: 148, hidePriority: 1 },
    { key: 'companyName', hiddenByDefault: true },
    { key: 'roomPath', grow: 1, hidePriority: 1 },
    'placeNo',
    { key: 'beginDate', hidePriority: 2 },
    'endDate',
    { key: 'plateColor', hiddenByDefault: true },
    { key: 'carModel', hiddenByDefault: true },
    { key: 'carColor', hiddenByDefault: true },
    { key: 'feeStandardName', hiddenByDefault: true },
    'carState',
  ],
  list: {
    barFilters: ['carKind', 'expiresWithin'],
    keywordPlaceholder: '车牌、车主、手机、房屋',
    views: [
      { id: '', name: '全部', filter: {} },
      stateView('normal', '正常'),
      stateView('pending', '待审核'),
      stateView('expired', '已到期'),
      stateView('suspended', '停用'),
      stateView('blocked', '黑名单'),
      stateView('cancelled', '已注销'),
    ],
  },
  detail: [
    {
      title: '车辆',
      keys: ['plateNo', 'plateColor', 'carKind', 'carState', 'carModel', 'carColor', 'blackReason'],
    },
    { title: '车主', keys: ['ownerName', 'mobile', 'companyName', 'roomPath'] },
    {
      title: '通行',
      keys: [
        'placeNo',
        'beginDate',
        'endDate',
        'feeStandardName',
        'groupName',
        { key: 'parkIds', wide: true },
      ],
    },
    { title: '其他', keys: ['license', 'remark', 'createTime', 'updateTime'] },
  ],
  tabs: [
    {
      key: 'validity',
      label: '有效期',
      inDrawer: true,
      body: row => <CarValidityList of={row} />,
    },
  ],
  form: { presentation: 'drawer', opensNew: false, groups: formGroups, rules: validateCar },
})
