import { useState, type ReactNode } from 'react'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Gateway } from '../contract/gateway.ts'

const PairingDialog = lazyComponent(() => import('./pairing-dialog.tsx').then(m => m.PairingDialog))
const UpdateDialog = lazyComponent(() => import('./update-dialog.tsx').then(m => m.UpdateDialog))

interface GatewayDialogs {
  readonly pair: (row: Gateway) => void
  readonly update: (row: Gateway) => void
  readonly dialog: ReactNode
}

/** Pairing a gateway and updating its program, from wherever it is shown. */
export function useGatewayDialogs(): GatewayDialogs {
  const [opened, setOpened] = useState<{ readonly kind: 'pair' | 'update'; readonly gateway: Gateway }>()
  const close = (): void => setOpened(undefined)
  const Dialog = opened?.kind === 'pair' ? PairingDialog : UpdateDialog
  return {
    pair: gateway => setOpened({ kind: 'pair', gateway }),
    update: gateway => setOpened({ kind: 'update', gateway }),
    dialog: opened && <Dialog of={opened.gateway} onClose={close} />,
  }
}
