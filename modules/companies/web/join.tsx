import { defined } from '#kit/domain/defined.ts'
import { CameraOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useEffect, useRef, useState, type SyntheticEvent } from 'react'
import { useSearchParams } from 'react-router'
import type { Field as FieldOf } from '#kit/contract/field.ts'
import { validateValue } from '#kit/contract/value.ts'
import { Refused } from '#kit/contract/wire.ts'
import { errorText } from '#kit/web/list/list-states.tsx'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { Status } from '#kit/web/status.tsx'
import { upload } from '#kit/web/upload.ts'
import {
  AuthLayout,
  LabelledField,
  SmsField,
  type SolvedCaptcha,
  getFieldFaults,
} from '#modules/accounts/web/public/auth-pages.ts'
import { getInvitation, joinCompany, sendJoinCode } from '../contract/join.ts'
import { compressPhoto } from './photo-compression.ts'
import './join.css'

const fields = joinCompany.input.fields as Readonly<Record<string, FieldOf>>

const formFields = {
  name: { wire: 'WorkerName', auto: 'name', mode: 'text' },
  mobile: { wire: 'Mobile', auto: 'tel', mode: 'tel' },
  position: { wire: 'Position', auto: 'organization-title', mode: 'text' },
} as const

type FieldKey = keyof typeof formFields
type Faults = Readonly<Record<string, string>>
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
      onChange(await compressPhoto(file))
    } catch (e) {
      onChange(value, e instanceof Error ? e.message : '图片无法识别，请换一张')
    }
  }
  return (
    <LabelledField label="本人正面照片" fault={wrong} help="五官清晰、无遮挡，审核时核对">
      {own => (
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

function JoinForm({
  code,
  company,
  onDone,
}: {
  readonly code: string
  readonly company: string
  readonly onDone: (already: boolean) => void
}) {
  const [values, setValues] = useState<Record<FieldKey, string>>({ name: '', mobile: '', position: '' })
  const [smsCode, setCode] = useState('')
  const [photo, setPhoto] = useState<File>()
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const root = useRef<HTMLFormElement>(null)
  const judge = (keys: readonly FieldKey[]): Record<string, string> =>
    Object.fromEntries(
      keys.flatMap(k => {
        const w = validateValue(defined(fields[k]), values[k].trim() || undefined)
        return w ? [[formFields[k].wire, w]] : []
      }),
    )
  const show = (found: Faults): boolean => {
    setFaults(found)
    if (Object.keys(found).length) {
      setTimeout(() => root.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), 0)
    }
    return Object.keys(found).length > 0
  }
  const ask = async (picture: SolvedCaptcha): Promise<string> => {
    if (show(judge(['mobile']))) throw new Error('请先填写手机号')
    await send(sendJoinCode, { code, mobile: values.mobile.trim(), ...picture }, { quiet: true })
    return values.mobile.trim()
  }
  const submit = async (e: SyntheticEvent): Promise<void> => {
    e.preventDefault()
    if (
      busy ||
      show({
        ...judge(['name', 'mobile', 'position']),
        ...(/^\d{6}$/.test(smsCode) ? {} : { SmsCode: '请输入 6 位短信验证码' }),
        ...(photo ? {} : { Photo: '请上传本人照片' }),
      })
    )
      return
    setBusy(true)
    try {
      const { already } = await upload(
        joinCompany,
        {
          code,
          name: values.name.trim(),
          mobile: values.mobile.trim(),
          smsCode,
          ...(values.position.trim() ? { position: values.position.trim() } : {}),
        },
        defined(photo),
        { quiet: true },
      )
      onDone(already)
    } catch (x) {
      show(getFieldFaults(x, wireNames, 'all'))
    } finally {
      setBusy(false)
    }
  }
  const box = (k: FieldKey) => (
    <LabelledField key={k} label={defined(fields[k]).label} fault={faults[formFields[k].wire]}>
      {own => (
        <Input
          size="large"
          {...own}
          autoComplete={formFields[k].auto}
          inputMode={formFields[k].mode}
          maxLength={defined(fields[k]).max ?? 40}
          value={values[k]}
          onChange={e => setValues(s => ({ ...s, [k]: e.target.value }))}
        />
      )}
    </LabelledField>
  )
  return (
    <form ref={root} onSubmit={e => void submit(e)} noValidate aria-label={`加入${company}`}>
      {box('name')}
      {box('position')}
      <PhotoField
        value={photo}
        wrong={faults.Photo}
        onChange={(f, wrong) => {
          setPhoto(f)
          setFaults(({ Photo: _, ...rest }) => (wrong ? { ...rest, Photo: wrong } : rest))
        }}
      />
      {box('mobile')}
      <SmsField value={smsCode} onChange={setCode} fault={faults.SmsCode} ask={ask} />
      {faults.all && (
        <p className="join-fault" role="alert">
          {faults.all}
        </p>
      )}
      <Button className="door-submit" type="primary" size="large" block htmlType="submit" loading={busy}>
        提交申请
      </Button>
    </form>
  )
}

/**
 * Where the scanned picture leads: somebody says that he works in a company, and waits for its word. Outside
 * the shell, made for a telephone.
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
  if (code === '')
    return (
      <AuthLayout title="加入企业">
        <p className="join-said" role="alert">
          地址不完整，请重新扫描企业的二维码
        </p>
      </AuthLayout>
    )
  if (asking.isError) {
    const { message, hint } = errorText(asking.error)
    return (
      <AuthLayout title="加入企业">
        <p className="join-said" role="alert">
          {[message, hint].filter(Boolean).join('，')}
        </p>
        {!(asking.error instanceof Refused) && (
          <Button size="large" onClick={() => void asking.refetch()}>
            重试
          </Button>
        )}
      </AuthLayout>
    )
  }
  if (!company)
    return (
      <AuthLayout title="加入企业">
        <p className="join-said" role="status">
          正在读取邀请
        </p>
      </AuthLayout>
    )
  return (
    <AuthLayout title={`加入「${company}」`} company={asking.data?.estateName}>
      {done ? (
        <div className="join-said" role="status">
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
