import { Input } from 'antd'
import { useEffect, useState } from 'react'
import { ariaProps, type Control } from '#kit/web/controls/control-kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { findReporters } from '../contract/order.ts'
import './register.css'

/** As many digits as a search by phone needs to say something. */
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

/** The phone of the caller; residents whom it belongs to are offered with their rooms (一房一档). */
export const PhoneControl: Control = props => {
  const phone = typeof props.value === 'string' ? props.value.trim() : ''
  const project = typeof props.formValues.projectCode === 'string' ? props.formValues.projectCode : ''
  const settled = useSettled(phone)
  const found = useCall(
    findReporters,
    { projectCode: project, phone: settled },
    { quiet: true, enabled: project !== '' && /^\d+$/.test(settled) && settled.length >= minDigits },
  )
  return (
    <>
      <Input
        {...ariaProps(props)}
        value={phone}
        disabled={props.disabled}
        inputMode="tel"
        autoComplete="off"
        maxLength={20}
        onChange={e => props.onChange(e.target.value)}
        onBlur={props.onBlur}
      />
      {found.data && found.data.length > 0 && (
        <ul className="reporters" aria-label="该电话的住户">
          {found.data.map(reporter => (
            <li key={`${reporter.reporterId}/${reporter.roomCode ?? ''}`}>
              <button
                type="button"
                onClick={() =>
                  props.onChange({
                    reporterPhone: phone,
                    reporterId: reporter.reporterId,
                    reporterName: reporter.reporterName,
                    ...(reporter.roomCode
                      ? { roomCode: reporter.roomCode, areaId: undefined, deviceId: undefined }
                      : {}),
                  })
                }
              >
                <b>{reporter.reporterName}</b> {reporter.roomName ?? '无房屋'}
                {reporter.openCount > 0 && <small>在办 {reporter.openCount}</small>}
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
