import { useState } from 'react'
import { saveFile } from '#kit/web/file-store.ts'
import { useSend } from '#kit/web/query.ts'
import { SignaturePad } from '#kit/web/signature-pad.tsx'
import { finishInspection, type RoomInspection } from '../contract/inspection.ts'

const meterNames = ['水表', '电表', '燃气表'] as const

interface PhoneFinishProps {
  readonly sheet: RoomInspection
  readonly onBack: () => void
  readonly onDone: (sheet: RoomInspection) => void
}

const readingsOf = (sheet: RoomInspection): Readonly<Record<string, string>> =>
  Object.fromEntries((sheet.meters ?? []).map(meter => [meter.name, meter.reading]))

/** A recheck has readings of its own: those of the check before are only shown beside them. */
const initialReadings = (sheet: RoomInspection): Readonly<Record<string, string>> =>
  sheet.recheckCount > 0 ? {} : readingsOf(sheet)

/** The end of an inspection: meter readings, whether the owner was there, the signature. */
export function PhoneFinish({ sheet, onBack, onDone }: PhoneFinishProps) {
  const [readings, setReadings] = useState(() => initialReadings(sheet))
  const lastReadings = readingsOf(sheet)
  const [ownerPresent, setOwnerPresent] = useState(true)
  const [ownerName, setOwnerName] = useState(sheet.ownerName ?? '')
  const [remark, setRemark] = useState(sheet.recheckCount > 0 ? '' : (sheet.remark ?? ''))
  const [picture, setPicture] = useState<File>()
  const [isSaving, setSaving] = useState(false)
  const [fault, setFault] = useState<string>()
  const sending = useSend(finishInspection, { quiet: true })
  const finish = async (): Promise<void> => {
    if (ownerPresent && !picture) {
      setFault('业主在场时请业主签名')
      return
    }
    setSaving(true)
    setFault(undefined)
    try {
      const signature = ownerPresent && picture ? await saveFile(picture) : undefined
      const meters = meterNames.flatMap(name => {
        const reading = readings[name]?.trim()
        return reading ? [{ name, reading }] : []
      })
      const done = await sending.mutateAsync({
        id: sheet.id,
        ownerPresent,
        ...(ownerPresent && ownerName.trim() ? { ownerName: ownerName.trim() } : {}),
        ...(signature ? { signature } : {}),
        ...(meters.length || !sheet.recheckCount ? { meters } : {}),
        ...(remark.trim() ? { remark: remark.trim() } : {}),
      })
      onDone(done)
    } catch (e) {
      setFault(e instanceof Error ? e.message : '提交失败，请重试')
    } finally {
      setSaving(false)
    }
  }
  return (
    <>
      <main>
        {meterNames.map(name => (
          <label className="field" key={name}>
            <span className="label">{name}读数</span>
            <input
              inputMode="decimal"
              placeholder={lastReadings[name] ? `上次 ${lastReadings[name]}` : undefined}
              value={readings[name] ?? ''}
              onChange={event => setReadings({ ...readings, [name]: event.target.value })}
            />
          </label>
        ))}
        <label className="field">
          <span className="label">备注</span>
          <textarea
            rows={2}
            maxLength={200}
            value={remark}
            onChange={event => setRemark(event.target.value)}
          />
        </label>
        <label className="tick">
          <input
            type="checkbox"
            checked={ownerPresent}
            onChange={event => setOwnerPresent(event.target.checked)}
          />
          业主在场
        </label>
        {ownerPresent && (
          <>
            <label className="field">
              <span className="label">业主姓名</span>
              <input maxLength={40} value={ownerName} onChange={event => setOwnerName(event.target.value)} />
            </label>
            <SignaturePad isRequired label="业主签名" hint="签名区，请业主手写签名" onChange={setPicture} />
          </>
        )}
        {fault && (
          <p className="fault" role="alert">
            {fault}
          </p>
        )}
      </main>
      <div className="foot">
        <button type="button" className="big" onClick={onBack}>
          返回
        </button>
        <button type="button" className="big primary" disabled={isSaving} onClick={() => void finish()}>
          提交验房结果
        </button>
      </div>
    </>
  )
}
