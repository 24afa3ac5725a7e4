import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Extensions } from '#kit/web/workbench.ts'
import { cardPermissions } from '#modules/residents/contract/card-permissions.ts'
import { holderLinks, holderRights } from '#modules/residents/web/public.holder-rights.ts'
import { cardReader } from '#modules/residents/web/public.card-reader.ts'
import { menu } from '../module.ts'

holderRights.provide({
  needs: cardPermissions.view,
  List: lazyComponent(() => import('./rights.tsx').then(m => m.HolderRights)),
})

holderLinks.provide({
  needs: menu.passCode.permissions.link,
  label: '通行链接',
  Dialog: lazyComponent(() => import('./own-links.tsx').then(m => m.LinksDialog)),
})

cardReader.provide({
  needs: cardPermissions.add,
  Button: lazyComponent(() => import('./card-reader-button.tsx').then(m => m.CardReaderButton)),
})

export const extensions: Extensions = {}
