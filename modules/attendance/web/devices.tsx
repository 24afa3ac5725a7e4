import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { devices, type AttendanceDevice } from '../contract/log.ts'

const columns = buildColumns(devices.list.output, [
  { key: 'deviceName', identity: true, grow: 1 },
  'deviceNo',
  { key: 'place', grow: 1 },
  'lastPunchTime',
  'state',
])

const remove = createReasonAction(devices.delete, {
  unit: '台设备',
  nameOf: (device: AttendanceDevice) => device.deviceName,
})

/** 考勤设备 */
export default function DevicesPage() {
  const form = useEdit({
    itemName: '考勤设备',
    add: devices.save,
    edit: devices.save,
    isRowComplete: true,
    nameOf: (device: AttendanceDevice) => device.deviceName,
  })
  return (
    <>
      <ListPage
        list={devices.list}
        itemName="考勤设备"
        columns={columns}
        primaryAction={form.addAction}
        rowActions={device => [form.editAction(device), remove.row(device)]}
        batchActions={[remove.batch]}
        isDimmed={device => device.state === 'off'}
        drawer={{ title: device => device.deviceName, historyEntity: 'attendanceDevice' }}
      />
      {form.dialog}
    </>
  )
}
