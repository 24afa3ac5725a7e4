import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Extensions } from '#kit/web/workbench.ts'
import { cardPermissions } from '#modules/residents/contract/card-permissions.ts'
import { holderRights } from '#modules/residents/web/public.holder-rights.ts'
import { cardReader } from '#modules/residents/web/public.card-reader.ts'

holderRights.provide({
  needs: cardPermissions.view,
  List: lazyComponent(() => import('./rights.tsx').then(m => m.HolderRights)),
})

cardReader.provide({
  needs: cardPermissions.add,
  Button: lazyComponent(() => import('./card-reader-button.tsx').then(m => m.CardReaderButton)),
})

export const extensions: Extensions = {}
