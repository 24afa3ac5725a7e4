import { labelOf } from '#kit/contract/field.ts'
import { gatewayState, remoteCommand } from '../contract/choices.ts'
import type { RemoteCommand } from '../contract/remote-command.ts'
import type { Gateway } from '../contract/gateway.ts'

export type RemoteGateway = Pick<
  Gateway,
  'id' | 'gateNo' | 'name' | 'state' | 'isOnline' | 'allowed' | 'platform' | 'projectCode'
>

/** Why a gateway gets no command at all now; nothing where it can. */
export const offlineReason = ({ state, isOnline }: Pick<RemoteGateway, 'state' | 'isOnline'>) =>
  state === 'paired' ? (isOnline ? undefined : '网关离线') : `网关${labelOf(gatewayState, state)}`

/** Why the local list of the site refuses a command; nothing where it allows it. */
export const forbiddenReason = (
  { allowed }: Pick<RemoteGateway, 'allowed'>,
  command: RemoteCommand,
): string | undefined =>
  allowed && !allowed.includes(command)
    ? `该网关不允许「${labelOf(remoteCommand, command)}」，须在现场计算机的 agent.json 中设置`
    : undefined

export const commandRefusal = (gateway: RemoteGateway, command: RemoteCommand): string | undefined =>
  offlineReason(gateway) ?? forbiddenReason(gateway, command)
