import { listEnums } from '#modules/system/contract/enums.ts'

const path = listEnums.route.split(' ')[1]

/** A command that tries a new key. Its call is open to every key, whatever the permissions. */
export const trialCommand = (origin: string, secret: string): string =>
  `curl -H 'Authorization: Bearer ${secret}' '${origin}/api/${path}?EnumName=ApiKeyState'`
