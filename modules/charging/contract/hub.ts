import { call } from '#kit/contract/call.ts'
import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { crudExport, crudImport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choiceTable,
  flag,
  idOf,
  int,
  lines,
  lookup,
  moment,
  ref,
  text,
  type ChoiceOf,
} from '#kit/contract/field.ts'
import { rules, siteAddressRule } from '#kit/contract/rules.ts'
import { extendShape, fileResponse, pageOf, recordIdField, search, shape } from '#kit/contract/shape.ts'
import { enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { hubType, portState } from './choices.ts'

const reported = { hiddenIn: ['form', 'filter', 'sheet'] } as const
const inDetail = { hiddenIn: ['table', 'filter'] } as const

export const maxPorts = 32

const portFields = {
  portNo: int('端口', { required: true, wire: 'PortNo' }),
  state: choice('状态', portState, { required: true, wire: 'State' }),
  errorText: text('故障', { wire: 'ErrorText' }),
  orderNo: text('订单', { wire: 'OrderNo' }),
} as const

/** A pile with its ports. */
export const chargerHub = entity(
  'chargerHub',
  '充电桩',
  { table: 'charger_hub', tenancy: 'project', title: 'hubName', order: ['projectCode', 'hubNo'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName', hiddenIn: ['table', 'sheet'] }),
    hubNo: text('桩号', {
      max: 30,
      rule: rules.lettersDigits,
      immutable: true,
      searchable: true,
      hiddenIn: ['filter'],
      help: '公司内唯一，充电桩用它连接；不填则自动生成',
    }),
    hubName: text('名称', { required: true, max: 60, searchable: true }),
    hubType: choice('类型', hubType, { required: true, initial: 'carSlow' }),
    location: text('位置', { max: 100, hiddenIn: ['filter'] }),
    portCount: int('端口数', { required: true, min: 1, max: maxPorts, initial: 1, hiddenIn: ['filter'] }),
    maxKw: int('端口功率', {
      min: 1,
      max: 2000,
      unit: '千瓦',
      hiddenIn: ['table', 'filter'],
      help: '单个端口的最大功率，超出的读数不计费；不填按类型：慢充 50、快充 800、电动自行车 5',
    }),
    standardId: ref('收费标准', 'chargerStandard', {
      wire: 'StandardID',
      hiddenIn: ['table', 'sheet', 'detail'],
      help: '没有收费标准的不能充电',
    }),
    standardName: lookup('收费标准', 'standardId', 'standardName', { wire: 'StandardName' }),
    isOnline: flag('在线', { required: true, initial: false, wire: 'Online', hiddenIn: ['form', 'sheet'] }),
    lastSeen: moment('最近通信', reported),
    vendor: text('厂商', { max: 40, hiddenIn: ['table', 'form', 'filter', 'sheet'] }),
    model: text('型号', { max: 40, hiddenIn: ['table', 'form', 'filter', 'sheet'] }),
    firmware: text('固件', { max: 60, hiddenIn: ['table', 'form', 'filter', 'sheet'] }),
    hasKey: flag('已设密钥', {
      derived: true,
      wire: 'HasKey',
      hiddenIn: ['table', 'form', 'filter', 'sheet'],
    }),
    ports: lines('端口', portFields, {
      derived: true,
      wire: 'PortsJson',
      hiddenIn: ['table', 'form', 'filter', 'sheet'],
    }),
    portsText: text('端口状态', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
    remark: text('备注', { max: 200, ...inDetail }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type ChargerHub = Row<typeof chargerHub>

const { permissions } = menu.hub

export const chargerHubs = crud(chargerHub, {
  path: 'charger/v1/Hub',
  permissions,
  filters: ['hubType', 'standardId', 'isOnline', 'state'],
  without: ['isOnline', 'lastSeen', 'vendor', 'model', 'firmware'],
  search: { ids: idsFilter },
})

export const exportHubs = crudExport(chargerHubs, { needs: permissions.export })

export const importHubs = crudImport(chargerHubs, {
  needs: permissions.import,
  columns: ['hubNo', 'hubName', 'hubType', 'location', 'portCount', 'maxKw', 'standardId', 'remark', 'state'],
  optional: ['hubNo', 'maxKw', 'state'],
  unique: ['hubName'],
})

export const pickHubs = pickerOf(chargerHub, {
  route: 'GET charger/v1/Hub/GetPick',
  title: '选择充电桩',
  fields: ['id', 'projectCode', 'hubNo', 'hubName', 'location', 'state'],
  search: { ids: idsFilter },
})

/** The QR picture of each port: who scans it may pay and charge there. */
export const exportHubCodes = call({
  route: 'GET charger/v1/Hub/ExportCPCode',
  title: '打印充电桩二维码',
  needs: permissions.label,
  input: extendShape(chargerHubs.list.input, {
    /** Without it the codes hold the path alone: of the site that the telephone has open. */
    address: text('站点地址', { max: 200, rule: siteAddressRule }),
  }),
  output: fileResponse,
})

/** A new key for the pile; the one before ends with its connection. Shown this once. */
export const resetHubKey = call({
  route: 'POST charger/v1/Hub/PostKey',
  title: '重置充电桩密钥',
  needs: permissions.key,
  affects: ['chargerHub'],
  input: shape({ id: recordIdField }),
  output: shape(
    {
      hubNo: text('桩号', { required: true }),
      path: text('连接地址', { required: true, wire: 'Path' }),
      key: text('密钥', { required: true, wire: 'Key' }),
    },
    { entity: 'chargerHub' },
  ),
})

export const hubCommandKind = choiceTable('HubCommandKind', '指令', {
  softReset: [10, '重启'],
  hardReset: [20, '强制重启'],
  unlock: [30, '解锁枪头'],
})

export type HubCommandKind = ChoiceOf<typeof hubCommandKind>

export const hubCommandState = choiceTable('HubCommandState', '结果', {
  sent: [10, '已发送', 'doing'],
  accepted: [20, '已执行', 'done'],
  refused: [30, '被拒绝', 'bad'],
  silent: [40, '未响应', 'bad'],
})

/** What somebody had a pile do. */
export const hubCommand = entity(
  'hubCommand',
  '充电桩指令',
  { table: 'charger_command', tenancy: 'project', title: 'operatorName', order: ['-id'] },
  {
    projectCode: estateField(),
    hubId: ref('充电桩', 'chargerHub', { required: true, wire: 'HubID', hiddenIn: ['table', 'sheet'] }),
    hubName: lookup('充电桩', 'hubId', 'hubName', { wire: 'HubName' }),
    kind: choice('指令', hubCommandKind, { required: true }),
    portNo: int('端口', { wire: 'PortNo' }),
    state: choice('结果', hubCommandState, { required: true, initial: 'sent' }),
    answer: text('说明', { max: 200, searchable: true }),
    sendTime: moment('发送时间', { required: true, wire: 'SendTime' }),
    operatorName: text('操作员', { required: true, max: 40, searchable: true }),
  },
)

export type HubCommand = Row<typeof hubCommand>

export const listHubCommands = call({
  route: 'GET charger/v1/Hub/GetCommands',
  title: '充电桩指令',
  needs: permissions.view,
  input: search(hubCommand, ['hubId', 'kind', 'state', 'sendTime']),
  output: pageOf(hubCommand),
})

export const sendHubCommand = call({
  route: 'POST charger/v1/Hub/PostCommand',
  title: '远程控制充电桩',
  needs: permissions.command,
  affects: ['hubCommand', 'chargerHub'],
  input: shape({
    id: recordIdField,
    kind: choice('指令', hubCommandKind, { required: true, initial: 'softReset', wire: 'Kind' }),
    portNo: int('端口', { min: 1, max: maxPorts, wire: 'PortNo', help: '解锁枪头时必填' }),
  }),
  output: shape({ commandId: idOf('指令', { required: true, wire: 'CommandID' }) }, { entity: 'chargerHub' }),
})
