import { labelOf } from '#kit/contract/field.ts'
import { finger } from '#modules/staff/contract/labels.ts'
import { menu } from '../module.ts'
import { findFingerprints } from './fingerprint.ts'
import { registerResidentPanelSection } from './resident-panel.ts'

registerResidentPanelSection({
  key: 'fingerprints',
  order: 210,
  needs: menu.card.permissions.view,
  load: async ({ db, scope, person }) => {
    const prints = await findFingerprints(db, scope, person.id)
    const value = prints.map(print => labelOf(finger, print.fingerNo)).join('、')
    return prints.length
      ? { title: '指纹', count: prints.length, lines: [{ label: '已采集', value }] }
      : undefined
  },
})
