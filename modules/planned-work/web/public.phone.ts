/** The own tasks of a kind of planned work on the phone. */
export { WorkPhone } from './work-phone.tsx'
