import { call } from '#kit/contract/call.ts'
import { choice, flag, idOf, int, list, moment, text } from '#kit/contract/field.ts'
import { fileResponse, listOfRows, noData, pageOfRows, recordIdField, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { gatewayState } from './choices.ts'
import { remoteTask, wholeOutputFields } from './remote-task.ts'

const { permissions } = menu.security

/** Who may run which commands. */
export const listCommandHolders = call({
  route: 'GET DeviceSecurity/GetHolders',
  title: '查询指令权限',
  needs: permissions.view,
  input: noData,
  output: listOfRows(
    {
      operatorId: idOf('操作人', { required: true, wire: 'OperatorID' }),
      name: text('姓名', { required: true }),
      isOwner: flag('超级管理员', { required: true }),
      /** Keys of `menu.command.permissions`. */
      commands: list('可执行的指令'),
    },
    { entity: 'role' },
  ),
})

/** The keys of the sites, and those that were revoked. */
export const listGatewayKeys = call({
  route: 'GET DeviceSecurity/GetKeys',
  title: '查询网关密钥',
  needs: permissions.view,
  input: shape({ projectCode: estateField<false>({ required: false }) }),
  output: listOfRows(
    {
      id: idOf('网关', { required: true, wire: 'ID' }),
      projectCode: estateField(),
      gateNo: text('网关号', { required: true }),
      name: text('名称', { required: true }),
      state: choice('状态', gatewayState, { required: true }),
      keyId: text('密钥指纹'),
      pairTime: moment('配对时间'),
      pairIp: text('配对地址'),
      /** A code that has not been used yet. */
      codeExpireTime: moment('配对码有效期至'),
      revokeTime: moment('吊销时间'),
      revokeReason: text('吊销原因'),
    },
    { entity: 'gateway' },
  ),
})

/** Dangerous commands with their whole output (RMT-2), the latest first. */
export const listCommandAudit = call({
  route: 'GET DeviceSecurity/GetAudit',
  title: '查询危险指令记录',
  needs: permissions.view,
  input: shape({
    projectCode: estateField<false>({ required: false }),
    page: int('页码', { wire: 'PageIndex', min: 1, max: 1_000_000 }),
    size: int('每页条数', { wire: 'PageSize', min: 1, max: 200 }),
    sendTimeFrom: moment('下发时间起'),
    sendTimeTo: moment('下发时间止'),
    operatorId: idOf('操作人', { min: 1, wire: 'OperatorID' }),
  }),
  output: pageOfRows(
    { ...remoteTask.fields, output: text('结果', { wire: 'ResultText' }), ...wholeOutputFields },
    { entity: 'remoteTask' },
  ),
})

/** The whole output of one of them. */
export const downloadAuditOutput = call({
  route: 'GET DeviceSecurity/DownloadOutput',
  title: '下载危险指令的完整输出',
  needs: permissions.view,
  input: shape({ id: recordIdField }),
  output: fileResponse,
})
