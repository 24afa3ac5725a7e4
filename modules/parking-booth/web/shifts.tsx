import { asFen, displayYuan } from '#kit/domain/money.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { usePermission } from '#kit/web/session.ts'
import { boothShifts, confirmShift, exportShifts, type BoothShift } from '../contract/shift.ts'
import { listShiftCharges, listShiftEvents } from '../contract/shift-event.ts'
import { differenceText } from '../domain/cash-difference.ts'
import { menu, paths } from '../module.ts'
import { UnhandedCharges } from './unhanded.tsx'
import './parking-booth.css'

const HandOverDialog = lazyComponent(() => import('./hand-over-dialog.tsx').then(m => m.HandOverDialog))
const ShiftSheet = lazyComponent(() => import('./shift-sheet.tsx').then(m => m.ShiftSheet))

const HandOver = (props: { readonly of: readonly BoothShift[]; readonly onClose: () => void }) => (
  <HandOverDialog {...props} />
)

const { permissions } = menu.shift

const eventColumns = buildColumns(listShiftEvents.output, [
  { key: 'eventTime', width: 150, identity: true },
  'kind',
  { key: 'plateNo', width: 110 },
  { key: 'oldPlate', width: 110, hidePriority: 2 },
  { key: 'laneName', width: 110, hidePriority: 1 },
  'waived',
  { key: 'reason', grow: 1 },
])

const chargeColumns = buildColumns(listShiftCharges.output, [
  { key: 'plateNo', identity: true, width: 110 },
  'chargeType',
  'amount',
  { key: 'couponAmount', hidePriority: 1 },
  { key: 'hostAmount', hidePriority: 2 },
  'paidAmount',
  'payMethod',
  { key: 'payTime', width: 150, grow: 1 },
])

const Events = ({ shift }: { readonly shift: BoothShift }) => (
  <ListPage
    embedded
    list={listShiftEvents}
    itemName="岗亭操作"
    fixedFilter={{ shiftId: shift.id }}
    filters={['kind']}
    columns={eventColumns}
    settingsKey="parking-booth/events"
  />
)

const Charges = ({ shift }: { readonly shift: BoothShift }) => (
  <ListPage
    embedded
    list={listShiftCharges}
    itemName="停车收费"
    fixedFilter={{ shiftId: shift.id }}
    filters={['payMethod']}
    columns={chargeColumns}
    settingsKey="parking-booth/charges"
  />
)

const isIn =
  (state: BoothShift['state']) =>
  (shift: BoothShift): boolean =>
    shift.state === state

const confirmSums = ([shift]: readonly BoothShift[]) =>
  shift && (
    <p className="booth-confirm">
      {shift.offStaffName} 现金应交 {displayYuan(shift.cashAmount)} 元，实交{' '}
      {displayYuan(shift.handAmount ?? 0)} 元，{differenceText(shift.diff ?? asFen(0)) ?? '相符'}
    </p>
  )

/** 停车交接班: who was at which booth, the cash that was handed over, and what was done without a fee. */
export const pages = crudPages(boothShifts, {
  paths: { list: paths.shifts, detail: paths.shiftDetail },
  unit: '个当班',
  itemName: '交接班',
  export: exportShifts,
  actions: [
    {
      label: '接班确认',
      call: confirmShift,
      keys: [
        { key: 'confirmAmount', help: '填写接班人清点后的现金' },
        { key: 'confirmRemark', wide: true, help: '与实交不符时注明' },
      ],
      submitLabel: '确认',
      doneText: '已确认',
      initial: one => ({ confirmAmount: one?.handAmount }),
      below: confirmSums,
      isOffered: isIn('waiting'),
    },
    { label: '交班', needs: permissions.duty, dialog: HandOver, isOffered: isIn('onDuty') },
    {
      label: '打印',
      needs: permissions.view,
      dialog: ShiftSheet,
      isOffered: shift => shift.state !== 'onDuty',
    },
  ],
  useExtras: () => {
    const hasPermission = usePermission()
    return {
      toolbar: [
        hasPermission(menu.booth.permissions.view) && {
          label: '岗亭收费',
          needs: menu.booth.permissions.view,
          run: () => navigateTo(paths.booth),
        },
      ],
    }
  },
  columns: [
    { key: 'offStaffName', identity: true, width: 96 },
    { key: 'parkName', width: 150, grow: 2 },
    { key: 'boothName', width: 100, grow: 1 },
    { key: 'beginTime', width: 150 },
    { key: 'endTime', width: 150, hidePriority: 2 },
    { key: 'outCount', wideOnly: true, hidePriority: 3 },
    { key: 'freeCount', wideOnly: true, hidePriority: 3 },
    { key: 'openCount', wideOnly: true, hidePriority: 3 },
    { key: 'priceCount', wideOnly: true, hidePriority: 3 },
    'cashAmount',
    { key: 'onlineAmount', wideOnly: true, hidePriority: 2 },
    { key: 'handAmount', hidePriority: 1 },
    'diff',
    { key: 'onStaffName', wideOnly: true, hidePriority: 2, width: 96 },
    'state',
  ],
  detail: [
    {
      keys: [
        'parkName',
        'boothName',
        'offStaffName',
        'onStaffName',
        'beginTime',
        'endTime',
        'confirmTime',
        'inCount',
        'outCount',
        'freeCount',
        'openCount',
        'priceCount',
      ],
    },
    {
      title: '金额',
      keys: [
        'chargeCount',
        'cashAmount',
        'onlineAmount',
        'waivedAmount',
        'handAmount',
        'confirmAmount',
        'diff',
        'remark',
        'confirmRemark',
        'methods',
      ],
    },
  ],
  tabs: [
    { key: 'events', label: '放行与改动', body: shift => <Events shift={shift} /> },
    { key: 'charges', label: '收费', body: shift => <Charges shift={shift} /> },
  ],
  list: {
    belowToolbar: <UnhandedCharges />,
    filters: ['parkId', 'offStaffId', 'beginTime', 'endTime', 'cashAmount', 'diff', 'state'],
    barFilters: ['parkId', 'beginTime'],
    views: [
      { id: '', name: '全部', filter: {} },
      { id: 'onDuty', name: '当班中', filter: { state: ['onDuty'] } },
      { id: 'waiting', name: '待确认', filter: { state: ['waiting'] } },
      { id: 'different', name: '有差异', filter: { state: ['different'] } },
    ],
  },
})
