import { navigateTo } from '#kit/web/navigation.ts'
import { signIn, type SignedInUser } from '#kit/web/session.ts'
import { getLandingPath, type SignInEntry } from './sign-in-entries.ts'

/** Goes to where the user was going, or first to a new password or a second factor where one is required. */
export function enterApp(signed: SignedInUser, entry: SignInEntry, search = location.search): void {
  signIn(signed)
  const to = getLandingPath(search, entry)
  const first = signed.manager.mustChange
    ? '/changepassword'
    : signed.manager.mustBind
      ? '/bindfactor'
      : undefined
  navigateTo(first ? `${first}?redirect=${encodeURIComponent(to)}` : to, { replace: true })
}
