import { Button, Modal, Radio } from 'antd'
import { useEffect, useState } from 'react'
import { keysOf, labelOf } from '#kit/contract/field.ts'
import { relativeText } from '#kit/web/date-format.ts'
import { useCall, useSend } from '#kit/web/query.ts'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { toast } from '#kit/web/toast.ts'
import {
  deleteStaffFingerprints,
  listStaffFingerprints,
  saveStaffFingerprint,
  type StaffFingerprint,
} from '../contract/fingerprint.ts'
import { finger } from '../contract/labels.ts'
import type { Staff } from '../contract/staff.ts'
import type { CaptureState } from '../domain/fingerprint-capture.ts'
import { useFingerprintCapture } from './use-fingerprint-capture.ts'
import './staff.css'

const fingers = keysOf(finger)
type Finger = (typeof fingers)[number]

const hands = [
  { label: '左手', fingers: fingers.slice(0, 5) },
  { label: '右手', fingers: fingers.slice(5) },
]

const removal = createReasonAction<StaffFingerprint>(deleteStaffFingerprints, {
  unit: '枚指纹',
  nameOf: print => labelOf(finger, print.fingerNo),
  consequences: ['删除后该手指不能再用于验证'],
  reasonPresets: ['录错手指', '员工要求'],
})

/** 指纹采集 (0§2): finger after finger from the reader at this computer. */
export function FingerprintDialog({ of, onClose }: { readonly of: Staff; readonly onClose: () => void }) {
  const enrolled = useCall(listStaffFingerprints, { staffId: of.id })
  const prints = enrolled.data ?? []
  return (
    <Modal
      open
      title={`采集指纹「${of.name}」`}
      width={640}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        <div className="form-foot">
          <Button onClick={onClose}>关闭</Button>
        </div>
      }
    >
      {/* Chosen before the reader starts: what is captured belongs to a finger that is known. */}
      {enrolled.data && <Capture staff={of} prints={prints} />}
      <EnrolledFingers prints={prints} />
    </Modal>
  )
}

const firstFree = (prints: readonly StaffFingerprint[]): Finger =>
  (['rightIndex', 'leftIndex', ...fingers] as const).find(
    key => !prints.some(print => print.fingerNo === key),
  ) ?? 'rightIndex'

interface CaptureProps {
  readonly staff: Staff
  readonly prints: readonly StaffFingerprint[]
}

function Capture({ staff, prints }: CaptureProps) {
  const [fingerNo, setFingerNo] = useState(() => firstFree(prints))
  const { state, changeFinger, retry } = useFingerprintCapture()
  const { mutateAsync: save, isPending } = useSend(saveStaffFingerprint)
  const { template, deviceSn } = state
  useEffect(() => {
    if (template === undefined) return
    save({ staffId: staff.id, fingerNo, template, ...(deviceSn !== undefined && { deviceSn }) })
      .then(() => toast.success(`已采集${labelOf(finger, fingerNo)}`))
      // The call has shown what is wrong; 重新采集 tries again.
      .catch(() => {})
    // One save for each template: the finger is that of the capture.
  }, [template])
  const choose = (next: Finger): void => {
    setFingerNo(next)
    changeFinger()
  }
  return (
    <div className="fingerprint-capture">
      <div className="fingerprint-hands">
        {hands.map(hand => (
          <fieldset key={hand.label}>
            <legend>{hand.label}</legend>
            <Radio.Group
              optionType="button"
              disabled={isPending}
              value={fingerNo}
              onChange={e => choose(e.target.value)}
              options={hand.fingers.map(key => ({
                value: key,
                label: fingerLabel(key, prints),
              }))}
            />
          </fieldset>
        ))}
      </div>
      <Progress state={state} fingerNo={fingerNo} />
      {state.phase === 'failed' && (
        <Button type="primary" onClick={retry}>
          重新连接
        </Button>
      )}
      {state.phase === 'captured' && (
        <Button onClick={changeFinger} loading={isPending}>
          重新采集
        </Button>
      )}
    </div>
  )
}

const fingerLabel = (key: Finger, prints: readonly StaffFingerprint[]): string => {
  const name = labelOf(finger, key).slice(2)
  return prints.some(print => print.fingerNo === key) ? `${name} ✓` : name
}

const textByPhase: Readonly<Record<CaptureState['phase'], string>> = {
  connecting: '正在连接指纹服务',
  opening: '正在打开指纹仪',
  pressing: '请再次按压同一手指',
  captured: '采集完成',
  failed: '采集失败',
}

/** What to do now, and how many presses are done; read out as it changes. */
function Progress({ state, fingerNo }: { readonly state: CaptureState; readonly fingerNo: Finger }) {
  const { phase, pressed, pressesNeeded, notice } = state
  const isWaiting = (phase === 'opening' || phase === 'pressing') && pressed === 0
  const text = isWaiting ? `请将${labelOf(finger, fingerNo)}按在指纹仪上` : textByPhase[phase]
  return (
    <div className="fingerprint-progress" role="status" data-phase={phase}>
      <strong>{text}</strong>
      <span className="presses" role="img" aria-label={`已按压 ${pressed} 次，共 ${pressesNeeded} 次`}>
        {Array.from({ length: pressesNeeded }, (_, i) => (
          <i key={i} data-done={i < pressed} />
        ))}
      </span>
      <p>{notice ?? ' '}</p>
    </div>
  )
}

function EnrolledFingers({ prints }: { readonly prints: readonly StaffFingerprint[] }) {
  if (!prints.length) return <p className="fingerprint-none">暂无已采集的指纹</p>
  return (
    <ul className="fingerprint-list" aria-label="已采集的指纹">
      {prints.map(print => (
        <li key={print.id}>
          <span>{labelOf(finger, print.fingerNo)}</span>
          <small>
            {[print.updateTime && relativeText(print.updateTime), print.deviceSn].filter(Boolean).join(' · ')}
          </small>
          <Button size="small" danger onClick={() => void removal.row(print).run?.()}>
            删除
          </Button>
        </li>
      ))}
    </ul>
  )
}
