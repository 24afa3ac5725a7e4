import { Status, ChoiceStatus } from '#kit/web/status.tsx'
import { gatewayState } from '../contract/choices.ts'
import type { Gateway } from '../contract/gateway.ts'

export const OnlineStatus = ({ isOnline }: { readonly isOnline: boolean }) =>
  isOnline ? <Status tone="done">在线</Status> : <Status tone="bad">离线</Status>

/** Whether it is connected, or why it cannot be. */
export const GatewayStatus = ({ gateway }: { readonly gateway: Pick<Gateway, 'state' | 'isOnline'> }) =>
  gateway.state === 'paired' ? (
    <OnlineStatus isOnline={gateway.isOnline} />
  ) : (
    <ChoiceStatus choices={gatewayState} value={gateway.state} />
  )
