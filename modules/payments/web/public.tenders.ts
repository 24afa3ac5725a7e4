import { lazyComponent } from '#kit/web/lazy-component.tsx'

export { MethodControl, TendersControl } from './tenders.tsx'

/** Loaded when it is rendered: most forms are without it. */
export const BalanceRefundApprovers = lazyComponent(() =>
  import('./refund-approvers.tsx').then(m => m.BalanceRefundApprovers),
)
