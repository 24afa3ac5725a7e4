import { Button } from 'antd'
import { useState } from 'react'
import { displayYuanWithSymbol } from '#kit/domain/money.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { useCall } from '#kit/web/query.ts'
import { sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { usePermission } from '#kit/web/session.ts'
import { beginShift, listBooths, previewShift } from '../contract/shift.ts'
import { menu } from '../module.ts'

const HandOverDialog = lazyComponent(() => import('./hand-over-dialog.tsx').then(m => m.HandOverDialog))

export type BoothRow = NonNullable<typeof listBooths.output.T>[number]

/** What the person on duty holds, and the way to hand it over. */
function OwnShift({ booth }: { readonly booth: BoothRow & { readonly shiftId: number } }) {
  const [isHanding, setHanding] = useState(false)
  const preview = useCall(
    previewShift,
    { id: booth.shiftId },
    { quiet: true, staleMs: 0, keepPrevious: true },
  )
  return (
    <div className="booth-shift">
      <span>当班自 {booth.beginTime?.slice(5, 16)}</span>
      <span>
        现金应交 <b>{preview.data ? displayYuanWithSymbol(preview.data.cashAmount) : '--'}</b>
      </span>
      <Button size="small" onClick={() => setHanding(true)}>
        交班
      </Button>
      {isHanding && (
        <HandOverDialog of={[{ ...booth, id: booth.shiftId }]} onClose={() => setHanding(false)} />
      )}
    </div>
  )
}

async function begin({ parkId, boothName }: BoothRow): Promise<void> {
  toastResult(await sendAndInvalidate(beginShift, { parkId, boothName }), `已在「${boothName}」开始当班`)
}

/** Who is on duty at the booth. */
export function ShiftStrip({ booth }: { readonly booth: BoothRow }) {
  const hasPermission = usePermission()
  const { shiftId } = booth
  if (!hasPermission(menu.shift.permissions.duty)) return null
  if (shiftId !== undefined && booth.isOwn) return <OwnShift booth={{ ...booth, shiftId }} />
  if (shiftId !== undefined)
    return (
      <div className="booth-shift">
        <span>
          {booth.staffName} 当班自 {booth.beginTime?.slice(5, 16)}
        </span>
      </div>
    )
  return (
    <div className="booth-shift">
      <span>无人当班，收费前请先开始当班</span>
      <Button size="small" type="primary" onClick={() => void begin(booth)}>
        开始当班
      </Button>
    </div>
  )
}
