import type { Permission } from '#kit/contract/call.ts'
import type { Action } from '#kit/web/action.tsx'
import { createExtensionPoint } from '#kit/web/extension-point.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { menu, paths } from '../module.ts'

/** A list of trades that another module adds beside 交易中心. */
export interface TradeScreen {
  readonly label: string
  readonly path: string
  readonly needs: Permission
}

export const tradeScreens = createExtensionPoint<TradeScreen>()

const centre = { label: '交易中心', path: paths.trades, needs: menu.record.permissions.view }

/** From one screen of trades to the others. */
export const useTradeLinks = (current: string): readonly Action[] =>
  [centre, ...tradeScreens.useAll()]
    .filter(({ path }) => path !== current)
    .map(({ label, path, needs }) => ({ label, needs, run: () => navigateTo(path) }))
