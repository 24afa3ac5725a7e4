import { Input } from 'antd'
import { useEffect, useState } from 'react'
import { ariaProps, type Control } from '#kit/web/controls/control-kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { findReporters } from '../contract/order.ts'
import './register.css'

/** As many digits as a search by telephone needs to say something. */
const minDigits = 7
const searchDelayMs = 300

/** What is typed, once typing pauses. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), searchDelayMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** The telephone of the caller; residents whom it belongs to are offered with their rooms (一房一档). */
export const PhoneControl: Control = p => {
  const phone = typeof p.value === 'string' ? p.value.trim() : ''
  const project = typeof p.formValues.projectCode === 'string' ? p.formValues.projectCode : ''
  const settled = useSettled(phone)
  const found = useCall(
    findReporters,
    { projectCode: project, phone: settled },
    { quiet: true, enabled: project !== '' && /^\d+$/.test(settled) && settled.length >= minDigits },
  )
  return (
    <>
      <Input
        {...ariaProps(p)}
        value={phone}
        disabled={p.disabled}
        inputMode="tel"
        autoComplete="off"
        maxLength={20}
        onChange={e => p.onChange(e.target.value)}
        onBlur={p.onBlur}
      />
      {found.data && found.data.length > 0 && (
        <ul className="reporters" aria-label="该电话的住户">
          {found.data.map(r => (
            <li key={`${r.reporterId}/${r.roomCode ?? ''}`}>
              <button
                type="button"
                onClick={() =>
                  p.onChange({
                    reporterPhone: phone,
                    reporterId: r.reporterId,
                    reporterName: r.reporterName,
                    ...(r.roomCode ? { roomCode: r.roomCode, areaId: undefined, deviceId: undefined } : {}),
                  })
                }
              >
                <b>{r.reporterName}</b> {r.roomName ?? '无房屋'}
                {r.openCount > 0 && <small>在办 {r.openCount}</small>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The form's other fields follow the resident that was chosen. */
export const spreadReporter = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : { reporterPhone: value }
