import type { ShellBand } from '#kit/web/workbench.ts'
import { menu } from '../module.ts'
import { AlarmBand } from './alarm-band.tsx'

export const bands: readonly ShellBand[] = [
  {
    needs: menu.alarm.permissions.view,
    Draw: AlarmBand,
  },
]
