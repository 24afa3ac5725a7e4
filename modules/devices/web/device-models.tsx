import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import {
  addDeviceModel,
  deleteDeviceModels,
  deviceModel,
  editDeviceModel,
  getDeviceModel,
  listDeviceModels,
  type DeviceModel,
} from '../contract/device-model.ts'
import { driverText } from '../domain/driver-name.ts'

const listColumns = buildColumns(listDeviceModels.output, [
  { key: 'name', identity: true, width: 200, grow: 1 },
  'systemType',
  { key: 'devType', width: 130 },
  { key: 'driver', width: 130, text: row => driverText(row.driver) },
  { key: 'maker', width: 160, grow: 1, hidePriority: 4 },
  'state',
])

const remove = createReasonAction<DeviceModel>(deleteDeviceModels, {
  unit: '个设备型号',
  nameOf: row => row.name,
  consequences: ['已有设备使用的型号不能删除，请改为停用'],
  reasonPresets: ['录入有误', '不再使用'],
})

/** 设备型号: what devices are, and which driver speaks to them. */
export default function DeviceModelsPage() {
  const form = useEdit({
    itemName: '设备型号',
    add: addDeviceModel,
    edit: editDeviceModel,
    load: getDeviceModel,
    isRowComplete: true,
    nameOf: (row: DeviceModel) => row.name,
  })
  return (
    <>
      <ListPage
        list={listDeviceModels}
        itemName="设备型号"
        columns={listColumns}
        barFilters={['systemType', 'state']}
        primaryAction={form.addAction}
        rowActions={row => [form.editAction(row), remove.row(row)]}
        batchActions={[remove.batch]}
        isDimmed={row => row.state === 'off'}
        drawer={{ title: row => row.name, historyEntity: deviceModel.name }}
      />
      {form.dialog}
    </>
  )
}
