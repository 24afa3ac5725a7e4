import { Button, Checkbox, Modal, Radio } from 'antd'
import { useEffect, useState } from 'react'
import { keysOf, labelOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { relativeText } from '#kit/web/date-format.ts'
import { toast } from '#kit/web/toast.ts'
import { finger } from '../contract/labels.ts'
import type { CaptureState } from '../domain/fingerprint-capture.ts'
import { useFingerprintCapture } from './use-fingerprint-capture.ts'
import './fingerprint.css'

const fingers = keysOf(finger)
type Finger = (typeof fingers)[number]

/** One enrolled finger of somebody: of the staff, a resident, a company worker. */
export interface EnrolledFinger {
  readonly id: Id
  readonly fingerNo: Finger
  readonly deviceSn?: string | undefined
  readonly updateTime?: Moment | undefined
  /** When the person agreed, where that is asked. */
  readonly consentTime?: Moment | undefined
}

export interface CapturedFinger {
  readonly fingerNo: Finger
  readonly template: string
  readonly deviceSn?: string
}

const hands = [
  { label: '左手', fingers: fingers.slice(0, 5) },
  { label: '右手', fingers: fingers.slice(5) },
]

interface CaptureProps {
  readonly prints: readonly EnrolledFinger[]
  readonly save: (captured: CapturedFinger) => Promise<unknown>
  readonly isSaving: boolean
}

interface DialogProps<P extends EnrolledFinger> extends Omit<CaptureProps, 'prints'> {
  readonly name: string
  /** Nothing until they are known: what is captured belongs to a finger that is chosen first. */
  readonly prints: readonly P[] | undefined
  /** Nothing where the caller may not. */
  readonly onDelete: ((print: P) => void) | undefined
  /** What the person agrees to before the reader starts; nobody is asked without it. */
  readonly consent?: string
  readonly onClose: () => void
}

/** 指纹采集 (0§2): finger after finger from the reader at this computer. */
export function CaptureDialog<P extends EnrolledFinger>({
  name,
  prints,
  onDelete,
  consent,
  onClose,
  ...capture
}: DialogProps<P>) {
  const [isAgreed, setAgreed] = useState(consent === undefined)
  return (
    <Modal
      open
      title={`采集指纹「${name}」`}
      width={640}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        <div className="form-foot">
          <Button onClick={onClose}>关闭</Button>
        </div>
      }
    >
      {consent !== undefined && (
        <Checkbox
          className="fingerprint-consent"
          checked={isAgreed}
          onChange={event => setAgreed(event.target.checked)}
        >
          {consent}
        </Checkbox>
      )}
      {prints && isAgreed && <Capture prints={prints} {...capture} />}
      <EnrolledFingers prints={prints ?? []} onDelete={onDelete} />
    </Modal>
  )
}

const firstFree = (prints: readonly EnrolledFinger[]): Finger =>
  (['rightIndex', 'leftIndex', ...fingers] as const).find(
    key => !prints.some(print => print.fingerNo === key),
  ) ?? 'rightIndex'

function Capture({ prints, save, isSaving }: CaptureProps) {
  const [fingerNo, setFingerNo] = useState(() => firstFree(prints))
  const { state, changeFinger, retry } = useFingerprintCapture()
  const { template, deviceSn } = state
  useEffect(() => {
    if (template === undefined) return
    save({ fingerNo, template, ...(deviceSn !== undefined && { deviceSn }) })
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
              disabled={isSaving}
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
        <Button onClick={changeFinger} loading={isSaving}>
          重新采集
        </Button>
      )}
    </div>
  )
}

const fingerLabel = (key: Finger, prints: readonly EnrolledFinger[]): string => {
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

interface ListProps<P extends EnrolledFinger> {
  readonly prints: readonly P[]
  /** Nothing where the caller may not. */
  readonly onDelete?: ((print: P) => void) | undefined
}

/** The fingers of somebody, each with when and where it was captured. */
export function EnrolledFingers<P extends EnrolledFinger>({ prints, onDelete }: ListProps<P>) {
  if (!prints.length) return <p className="fingerprint-none">暂无已采集的指纹</p>
  return (
    <ul className="fingerprint-list" aria-label="已采集的指纹">
      {prints.map(print => (
        <li key={print.id}>
          <span>{labelOf(finger, print.fingerNo)}</span>
          <small>
            {[
              print.updateTime && relativeText(print.updateTime),
              print.deviceSn,
              print.consentTime && `本人同意于 ${relativeText(print.consentTime)}`,
            ]
              .filter(Boolean)
              .join(' · ')}
          </small>
          {onDelete && (
            <Button size="small" danger onClick={() => onDelete(print)}>
              删除
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
