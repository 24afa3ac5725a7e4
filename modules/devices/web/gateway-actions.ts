import { navigateTo } from '#kit/web/navigation.ts'
import { confirmAndSend, createReasonAction } from '#kit/web/record-actions.ts'
import type { Action } from '#kit/web/action.tsx'
import { labelOf } from '#kit/contract/field.ts'
import { gatewayState } from '../contract/choices.ts'
import { deleteGateways, revokeGateway, type Gateway } from '../contract/gateway.ts'
import { menu, paths } from '../module.ts'

const { permissions } = menu.gateway

export const openGateway = (row: Pick<Gateway, 'id'>): void =>
  navigateTo(`${paths.gatewayDetail}?id=${row.id}`)

export const deleteGateway = createReasonAction<Gateway>(deleteGateways, {
  unit: '台网关',
  nameOf: row => row.name,
  consequences: ['网关密钥一并删除，现场计算机不能再连接', '仍有设备的网关不能删除，请先删除或更换所属网关'],
  reasonPresets: ['录入有误', '网关已拆除'],
})

/** The key of the site is deleted: its connection is cut at once. */
export const revokeAction = (row: Gateway): Action => ({
  label: '吊销',
  needs: permissions.revoke,
  danger: true,
  disabledReason: row.state === 'paired' ? undefined : `网关${labelOf(gatewayState, row.state)}`,
  run: () =>
    confirmAndSend(revokeGateway, {
      actionLabel: '吊销',
      unit: '台网关',
      title: `吊销「${row.name}」的密钥`,
      consequences: ['网关立即断开，所接设备离线', '再次使用须重新配对'],
      reason: { presets: ['计算机遗失', '密钥可能泄露', '不再使用'] },
      confirmText: row.name,
      input: { id: row.id },
      doneText: `已吊销「${row.name}」`,
    }),
})
