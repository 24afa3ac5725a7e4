import { defined } from '#kit/domain/defined.ts'
import { CameraOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { Field as FieldOf } from '#kit/contract/field.ts'
import { validateValue } from '#kit/contract/value.ts'
import { Refused } from '#kit/contract/wire.ts'
import { errorText } from '#kit/web/list/list-feedback.tsx'
import { shrinkPhoto } from '#kit/web/phone/shrink-photo.ts'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { Status } from '#kit/web/status.tsx'
import { upload } from '#kit/web/upload.ts'
import {
  AuthLayout,
  AuthTextField,
  LabelledField,
  SmsField,
  smsCodeFault,
  useAuthForm,
  type Faults,
  type SolvedCaptcha,
} from '#modules/accounts/web/public/auth-pages.ts'
import { getInvitation, joinCompany, maxPhotoBytes, sendJoinCode } from '../contract/join.ts'
import './join.css'

const fields = joinCompany.input.fields as Readonly<Record<string, FieldOf>>

const formFields = {
  name: { wire: 'WorkerName', auto: 'name', mode: 'text' },
  mobile: { wire: 'Mobile', auto: 'tel', mode: 'tel' },
  position: { wire: 'Position', auto: 'organization-title', mode: 'text' },
} as const

type FieldKey = keyof typeof formFields
const wireNames = [...Object.values(formFields).map(a => a.wire), 'SmsCode', 'Photo']

/** A face from the camera or a file; shown as it will be sent. */
function PhotoField({
  value,
  onChange,
  wrong,
}: {
  readonly value: File | undefined
  readonly onChange: (f: File | undefined, wrong?: string) => void
  readonly wrong: string | undefined
}) {
  const box = useRef<HTMLInputElement>(null)
  const [shown, setShown] = useState<string>()
  useEffect(() => {
    if (!value) {
      setShown(undefined)
      return undefined
    }
    const url = URL.createObjectURL(value)
    setShown(url)
    return () => URL.revokeObjectURL(url)
  }, [value])
  const take = async (file: File | undefined): Promise<void> => {
    if (box.current) {
      box.current.value = ''
    }
    if (!file) return
    if (!file.type.startsWith('image/')) {
      onChange(value, '照片只能是图片，请重新选择')
      return
    }
    try {
      onChange(await shrinkPhoto(file))
    } catch {
      // A picture that this browser cannot draw is sent as it is.
      if (file.size <= maxPhotoBytes) {
        onChange(file)
      } else {
        onChange(value, '照片不能超过 2048 KB，请换一张或压缩后再选')
      }
    }
  }
  return (
    <LabelledField label="本人正面照片" required fault={wrong} help="五官清晰、无遮挡，审核时核对">
      {/* A button cannot be marked as required. */}
      {({ 'aria-required': _required, ...own }) => (
        <>
          <button
            {...own}
            type="button"
            className="join-photo"
            aria-label={value ? '更换照片' : '拍照或选择照片'}
            onClick={() => box.current?.click()}
          >
            {shown ? (
              <img src={shown} alt="已选的照片" />
            ) : (
              <>
                <CameraOutlined />
                <span>拍照或选择照片</span>
              </>
            )}
          </button>
          <input
            ref={box}
            type="file"
            accept="image/*"
            capture="user"
            hidden
            onChange={e => void take(e.target.files?.[0])}
          />
        </>
      )}
    </LabelledField>
  )
}

interface JoinFormProps {
  readonly code: string
  readonly company: string
  readonly onDone: (already: boolean) => void
}

function JoinForm({ code, company, onDone }: JoinFormProps) {
  const [values, setValues] = useState<Record<FieldKey, string>>({ name: '', mobile: '', position: '' })
  const [smsCode, setCode] = useState('')
  const [photo, setPhoto] = useState<File>()
  const name = values.name.trim()
  const mobile = values.mobile.trim()
  const position = values.position.trim()
  const findFaults = (keys: readonly FieldKey[]): Faults =>
    Object.fromEntries(
      keys.flatMap(key => {
        const wrong = validateValue(defined(fields[key]), values[key].trim() || undefined)
        return wrong ? [[formFields[key].wire, wrong]] : []
      }),
    )
  const { root, faults, setFaults, showFaults, isBusy, onSubmit } = useAuthForm({
    fields: wireNames,
    otherwise: 'all',
    focusesFault: true,
    check: () => ({
      ...findFaults(['name', 'mobile', 'position']),
      ...smsCodeFault(smsCode),
      ...(photo ? {} : { Photo: '请上传本人照片' }),
    }),
    submit: async () => {
      const applicant = { code, name, mobile, smsCode, ...(position ? { position } : {}) }
      const { already } = await upload(joinCompany, applicant, defined(photo), { quiet: true })
      onDone(already)
    },
  })
  const requestCode = async (picture: SolvedCaptcha): Promise<string> => {
    if (showFaults(findFaults(['mobile']))) throw new Error('请先填写手机号')
    await send(sendJoinCode, { code, mobile, ...picture }, { quiet: true })
    return mobile
  }
  const box = (key: FieldKey) => (
    <AuthTextField
      label={defined(fields[key]).label}
      required={fields[key]?.required}
      fault={faults[formFields[key].wire]}
      autoComplete={formFields[key].auto}
      inputMode={formFields[key].mode}
      maxLength={defined(fields[key]).max ?? 40}
      value={values[key]}
      onChange={text => setValues(s => ({ ...s, [key]: text }))}
    />
  )
  return (
    <form ref={root} onSubmit={onSubmit} noValidate aria-label={`加入${company}`}>
      {box('name')}
      {box('position')}
      <PhotoField
        value={photo}
        wrong={faults.Photo}
        onChange={(f, wrong) => {
          setPhoto(f)
          const { Photo: _photo, ...rest } = faults
          setFaults(wrong ? { ...rest, Photo: wrong } : rest)
        }}
      />
      {box('mobile')}
      <SmsField value={smsCode} onChange={setCode} fault={faults.SmsCode} requestCode={requestCode} />
      {faults.all && (
        <p className="join-fault" role="alert">
          {faults.all}
        </p>
      )}
      <Button className="auth-submit" type="primary" size="large" block htmlType="submit" loading={isBusy}>
        提交申请
      </Button>
    </form>
  )
}

interface JoinMessageProps {
  readonly role: 'alert' | 'status'
  readonly text: string
  readonly children?: ReactNode
}

/** The page while there is no form on it. */
const JoinMessage = ({ role, text, children }: JoinMessageProps) => (
  <AuthLayout title="加入企业">
    <p className="join-status" role={role}>
      {text}
    </p>
    {children}
  </AuthLayout>
)

/**
 * The page behind the scanned QR code: somebody applies as a worker of a company and waits for its approval.
 * Outside the shell, made for a phone.
 */
export default function JoinPage() {
  const [at] = useSearchParams()
  const code = at.get('code') ?? ''
  const [done, setDone] = useState<{ readonly already: boolean }>()
  const asking = useCall(
    getInvitation,
    { code },
    { quiet: true, project: 0, enabled: code !== '', staleMs: 0 },
  )
  const company = asking.data?.companyName
  useEffect(() => {
    document.title = company ? `加入${company}` : '加入企业'
  }, [company])
  if (code === '') return <JoinMessage role="alert" text="地址不完整，请重新扫描企业的二维码" />
  if (asking.isError) {
    const { message, hint } = errorText(asking.error)
    return (
      <JoinMessage role="alert" text={[message, hint].filter(Boolean).join('，')}>
        {!(asking.error instanceof Refused) && (
          <Button size="large" onClick={() => void asking.refetch()}>
            重试
          </Button>
        )}
      </JoinMessage>
    )
  }
  if (!company) return <JoinMessage role="status" text="正在读取邀请" />
  return (
    <AuthLayout title={`加入「${company}」`} company={asking.data?.estateName}>
      {done ? (
        <div className="join-status" role="status">
          <Status tone={done.already ? 'done' : 'todo'}>{done.already ? '已是员工' : '待审核'}</Status>
          <p>
            {done.already
              ? `已是「${company}」的员工，无需重复申请`
              : `申请已提交，「${company}」的管理人员审核通过后生效`}
          </p>
        </div>
      ) : (
        <JoinForm code={code} company={company} onDone={already => setDone({ already })} />
      )}
    </AuthLayout>
  )
}
