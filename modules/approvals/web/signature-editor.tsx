import { useState } from 'react'
import { file } from '#kit/contract/field.ts'
import { ImageUpload } from '#kit/web/controls/image-upload.tsx'
import { saveFile } from '#kit/web/file-store.ts'
import { useCall, useSend } from '#kit/web/query.ts'
import { SignaturePad } from '#kit/web/signature-pad.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { toast } from '#kit/web/toast.ts'
import { getOwnSignature, removeOwnSignature, saveOwnSignature } from '../contract/signature.ts'
import './approvals.css'

const pictureField = file('签名图片')

interface PictureFieldProps {
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

/** For those who cannot draw: a picture of the signature. */
const PictureField = ({ value, onChange }: PictureFieldProps) => (
  <>
    <label className="labelled" htmlFor="signature-picture">
      <span>或上传签名图片（白底，不超过 2 MB）</span>
    </label>
    <ImageUpload
      field={pictureField}
      id="signature-picture"
      value={value}
      onChange={key => onChange(typeof key === 'string' && key ? key : undefined)}
      onBlur={() => {}}
      disabled={false}
      invalid={false}
      describedBy={undefined}
      formValues={{}}
      nestedFaults={{}}
      maxCount={1}
    />
  </>
)

/** The signature of my decisions: drawn, or a picture of it; those made before keep theirs. */
export function useSignatureEditor(onDone: () => void) {
  const own = useCall(getOwnSignature, {}, { quiet: true }).data
  const saving = useSend(saveOwnSignature)
  const removing = useSend(removeOwnSignature)
  const [drawn, setDrawn] = useState<File>()
  const [uploaded, setUploaded] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const save = async (): Promise<void> => {
    setSaving(true)
    try {
      const signature = uploaded ?? (drawn ? await saveFile(drawn) : undefined)
      if (signature === undefined) return
      await saving.mutateAsync({ signature })
      toast.success('签名已保存，以后处理的审批使用该签名')
      onDone()
    } finally {
      setSaving(false)
    }
  }
  const remove = async (): Promise<void> => {
    await removing.mutateAsync({})
    toast.success('签名已停用，以后的审批单只印姓名与时间')
    onDone()
  }
  const editor = (
    <div className="approval-signature">
      {own?.signature && (
        <div className="current">
          <span>现用签名</span>
          <StoredImages fileKeys={[own.signature]} size={72} />
        </div>
      )}
      <SignaturePad
        label="手写签名"
        hint="签名区，用手指或鼠标书写；不能书写的，请上传签名图片"
        onChange={setDrawn}
      />
      <PictureField value={uploaded} onChange={setUploaded} />
    </div>
  )
  return {
    editor,
    save,
    remove,
    hasOwn: own?.signature !== undefined,
    isReady: !isSaving && (drawn !== undefined || uploaded !== undefined),
  }
}
