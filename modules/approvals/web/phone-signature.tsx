import { useSignatureEditor } from './signature-editor.tsx'

/** 我的签名 on the phone. */
export function PhoneSignature({ onBack }: { readonly onBack: () => void }) {
  const { editor, save, isReady } = useSignatureEditor(onBack)
  return (
    <>
      <header>
        <div>
          <h1>我的签名</h1>
        </div>
      </header>
      <main>
        <p>印在审批单上；以前处理的审批仍印当时的签名。</p>
        {editor}
      </main>
      <div className="foot">
        <button type="button" className="big" onClick={onBack}>
          返回
        </button>
        <button type="button" className="big primary" disabled={!isReady} onClick={() => void save()}>
          保存签名
        </button>
      </div>
    </>
  )
}
