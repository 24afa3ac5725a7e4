import { useEffect, useRef, useState } from 'react'
import { canFindBeacons, canReadTags, findBeacon, positionFor, readTag } from './walk-device.ts'
import type { ShownPoint } from './rounds.ts'
import type { Arrival, SignType } from './walk-draft.ts'

interface SignButtonsProps {
  readonly point: ShownPoint
  readonly onScan: () => void
  readonly onArrive: (arrival: Arrival) => void
  readonly onFault: (fault: string | undefined) => void
}

interface SignMethod {
  readonly kind: SignType
  readonly label: string
  readonly busyLabel: string
  /** Why the phone cannot do it. */
  readonly refusal?: string | undefined
}

const methodsOf = (point: ShownPoint): readonly SignMethod[] => {
  const methods: readonly (SignMethod & { readonly isOffered: boolean })[] = [
    { kind: 'qr', label: '扫码签到', busyLabel: '', isOffered: point.signKinds.includes('qr') },
    {
      kind: 'nfc',
      label: 'NFC 签到',
      busyLabel: '请将手机贴近 NFC 标签',
      isOffered: point.signKinds.includes('nfc'),
      refusal: canReadTags() ? undefined : '此手机的浏览器不支持 NFC',
    },
    {
      kind: 'ble',
      label: '蓝牙签到',
      busyLabel: '正在查找蓝牙信标',
      isOffered: point.signKinds.includes('ble') && point.bleNo !== undefined,
      refusal: canFindBeacons() ? undefined : '此手机的浏览器不支持蓝牙',
    },
    { kind: 'gps', label: '定位签到', busyLabel: '正在定位', isOffered: point.signKinds.includes('gps') },
    {
      kind: 'photo',
      label: '拍照签到',
      busyLabel: '',
      isOffered: point.signKinds.every(kind => kind === 'photo'),
    },
  ]
  return methods.filter(method => method.isOffered)
}

/** The ways in which a point is signed, each by one large button. */
export function SignButtons({ point, onScan, onArrive, onFault }: SignButtonsProps) {
  const [busy, setBusy] = useState<SignType>()
  const stopped = useRef(new AbortController())
  useEffect(() => () => stopped.current.abort(), [])
  const codeOf = async (kind: SignType): Promise<string | undefined> => {
    if (kind === 'nfc') return readTag(stopped.current.signal)
    return kind === 'ble' ? findBeacon(point.bleNo ?? '') : undefined
  }
  const arrive = async (kind: SignType): Promise<void> => {
    setBusy(kind)
    onFault(undefined)
    try {
      const code = await codeOf(kind)
      const deviceMs = Date.now()
      const position = await positionFor(point.signKinds)
      if (kind === 'gps' && position.longitude === undefined)
        throw new Error('无法取得位置，请允许定位后重试')
      onArrive({ signType: kind, deviceMs, ...position, ...(code === undefined ? {} : { code }) })
    } catch (error) {
      onFault(error instanceof Error ? error.message : '签到失败，请重试')
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <div className="sign-buttons">
      {methodsOf(point).map(method => (
        <div key={method.kind}>
          <button
            type="button"
            className="big primary"
            disabled={busy !== undefined || method.refusal !== undefined}
            onClick={() => (method.kind === 'qr' ? onScan() : void arrive(method.kind))}
          >
            {busy === method.kind ? method.busyLabel : method.label}
          </button>
          {method.refusal && <small>{method.refusal}</small>}
        </div>
      ))}
    </div>
  )
}
