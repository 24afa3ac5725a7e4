import { useState } from 'react'
import { recordPath } from '#kit/contract/crud-screens.ts'
import { displayYuan } from '#kit/domain/money.ts'
import type { Action } from '#kit/web/action.tsx'
import { buildColumns } from '#kit/web/columns.tsx'
import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { carPermissions } from '#modules/parking/contract/car-permissions.ts'
import { stayState } from '../contract/choices.ts'
import { exportStays, listStays, parkingStays, type ParkingStay } from '../contract/stay.ts'
import { menu } from '../module.ts'
import { paths } from './paths.ts'
import { RegisterDialog } from './register-dialog.tsx'
import { useStayActions } from './stay-actions.tsx'

/** Of a car that is inside it is not settled yet: what it owes now is under 在场车辆. */
const shouldPayText = ({ state, shouldPay }: ParkingStay): string =>
  state === 'inside' ? '计费中' : displayYuan(shouldPay)

const columns = buildColumns(listStays.output, [
  { key: 'plateNo', identity: true, width: 96 },
  { key: 'parkName', width: 120, grow: 1 },
  { key: 'carKind', width: 80 },
  { key: 'inTime', width: 150 },
  { key: 'inLaneName', wideOnly: true, hidePriority: 3 },
  { key: 'outTime', width: 150 },
  { key: 'outLaneName', wideOnly: true, hidePriority: 3 },
  { key: 'stayMinutes', hidePriority: 2 },
  { key: 'shouldPay', hidePriority: 1, text: shouldPayText, render: shouldPayText },
  { key: 'discount', wideOnly: true, hidePriority: 4 },
  'paid',
  'state',
])

const groups: readonly DetailGroup<ParkingStay>[] = [
  {
    keys: [
      'passNo',
      'parkName',
      'carKind',
      'originalPlate',
      'inTime',
      'inLaneName',
      'outTime',
      'outLaneName',
      'stayMinutes',
      'isTimeDoubtful',
    ],
  },
  {
    title: '收费',
    keys: [
      'shouldPay',
      'discount',
      'paid',
      'paidTime',
      'chargedFrom',
      'chargedTo',
      'exitKind',
      'releaseReason',
      'operatorName',
    ],
  },
  { title: '抓拍', keys: ['inPhoto', 'outPhoto'] },
]

const seeCar = ({ carId }: ParkingStay): Action | false =>
  carId !== undefined && {
    label: '查看车辆',
    needs: carPermissions.view,
    run: () => navigateTo(recordPath(paths.car, carId)),
  }

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'inside', name: '在场', filter: { state: ['inside', 'paid'] } },
  { id: 'abnormal', name: '异常出场', filter: { state: ['abnormal'] } },
  { id: 'free', name: '免费放行', filter: { exitKind: ['free'] } },
]

/** The records of the last thirty days, unless another time is chosen. */
export function StayList() {
  const [isRegistering, setRegistering] = useState(false)
  const { actions, batch, dialogs } = useStayActions()
  return (
    <>
      <ListPage
        embedded
        addressed
        pageSize={20}
        list={listStays}
        export={exportStays}
        itemName="出入记录"
        keywordPlaceholder="车牌"
        columns={columns}
        filters={['plateNo', ...parkingStays.filters]}
        barFilters={['parkId', 'passTime', 'state']}
        views={views}
        settingsKey="parking-lanes/stays"
        primaryAction={{
          label: '登记通行',
          needs: menu.stay.permissions.pass,
          run: () => setRegistering(true),
        }}
        rowActions={actions}
        batchActions={batch}
        drawer={{
          title: stay => stay.plateNo,
          status: stay => <ChoiceStatus choices={stayState} value={stay.state} />,
          groups,
          actions: stay => [...actions(stay), seeCar(stay)],
        }}
      />
      {isRegistering && <RegisterDialog onClose={() => setRegistering(false)} />}
      {dialogs}
    </>
  )
}
