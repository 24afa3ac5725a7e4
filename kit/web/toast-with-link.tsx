import { navigateTo } from './navigation.ts'
import { toast } from './toast.ts'

interface NextStep {
  readonly label: string
  readonly path: string
}

/** Says what has been done and leads on to what usually follows; it stays long enough to be reached. */
export const toastWithLink = (text: string, next: NextStep): void =>
  toast.next(
    text,
    <>
      {text}{' '}
      <button type="button" className="linkish" onClick={() => navigateTo(next.path)}>
        {next.label}
      </button>
    </>,
  )
