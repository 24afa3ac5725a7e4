import { call } from '#kit/contract/call.ts'
import { flag, idOf, list, moment, text } from '#kit/contract/field.ts'
import { listOfRows, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

/** The four look-ups of the push dialog (0§7), under the names of the specification. */
const { permissions } = menu.device
const project = { projectCode: estateField<false>({ required: false }) }

const gatewayFields = {
  id: idOf('编号', { required: true, wire: ['Id', 'ID'] }),
  gateNo: text('网关号', { required: true }),
  name: text('名称', { required: true, wire: ['DevName', 'Name'] }),
  address: text('地址'),
}

const deviceFields = {
  id: idOf('编号', { required: true, wire: ['Id', 'ID'] }),
  devNo: text('设备号', { required: true }),
  devType: text('设备类型'),
  hostNo: text('主机号'),
  identity: text('标识'),
  name: text('名称', { required: true, wire: ['DevName', 'Name'] }),
  address: text('地址'),
  gateNo: text('网关号', { required: true }),
  isOnline: flag('在线', { required: true, wire: 'Online' }),
  lastBeat: moment('心跳'),
  kernelVersion: text('内核版本'),
}

/** The devices of some gateways, by the gateways' numbers. */
export const findDeviceNames = call({
  route: 'POST device/DevNameData',
  title: '查询设备名称',
  needs: permissions.view,
  readOnly: true,
  input: shape({
    gateNos: list('网关号', { required: true, max: 500, wire: ['GateNos', 'Data'] }),
    ...project,
  }),
  output: listOfRows(
    {
      devNo: text('设备号', { required: true }),
      name: text('名称', { required: true, wire: 'DevName' }),
      gateNo: text('网关号', { required: true }),
    },
    { entity: 'device' },
  ),
})

export const smartTarget = 'smart'
/** Of a kernel folder, by name or by the code of its type (20). */
export const kernelTargets: readonly string[] = ['kernel', '20']

/**
 * Where a file can be sent: `smart` everything, `kernel` what has a kernel, any other word what has a kernel
 * and is of that device type.
 */
export const findPushTargets = call({
  route: 'POST device/DevConnectionData',
  title: '查询推送目标',
  needs: permissions.view,
  readOnly: true,
  input: shape({
    target: text('目标', { required: true, max: 20, initial: smartTarget, wire: ['Target', 'Data'] }),
    ...project,
  }),
  output: listOfRows(deviceFields, { entity: 'device' }),
})

export const listOnlineGateways = call({
  route: 'POST device/GetOnlineGateways',
  aliases: ['GET device/GetOnlineGateways'],
  title: '查询在线网关',
  needs: permissions.view,
  readOnly: true,
  input: shape(project),
  output: listOfRows(gatewayFields, { entity: 'gateway' }),
})

export const listOnlineDevices = call({
  route: 'POST device/GetOnlineDevices',
  aliases: ['GET device/GetOnlineDevices'],
  title: '查询在线设备',
  needs: permissions.view,
  readOnly: true,
  input: shape({ gateNo: text('网关号', { required: true, max: 30, wire: ['GateNo', 'Data'] }), ...project }),
  output: listOfRows(deviceFields, { entity: 'device' }),
})
