/** Refusals of commands that only read, instead of creating or changing an installation. */
import { Refusal } from '#refusal.ts'

/**
 * What a command may create or change: `all`: a new installation; `upgrade`: only the layout of an existing one;
 * `nothing`: not even that.
 */
export type MayCreate = 'all' | 'upgrade' | 'nothing'

/** No installation exists, and none was created. */
export class MissingInstallation extends Refusal {
  constructor(why: string) {
    super('not_found', `${why}: no installation exists here yet; {next} creates one`, { next: { step: 'serve' } })
  }
}

/** The control store is missing or empty, beside evidence that only it describes. */
export class LostControl extends Refusal {}

/** The control store belongs to evidence that is not in this data folder. */
export class StoresApart extends Refusal {}

/** `where` names the control store, `folder` the data folder that does not hold its evidence. */
export const evidenceElsewhere = (where: string, folder: string): StoresApart =>
  new StoresApart(
    'conflict',
    `The control store ${where} belongs to the evidence of another data folder, and ${folder} holds none. ` +
      'Name that folder with --data or SPOOR_DATA, or another database in SPOOR_DATABASE_URL.',
  )

/** The data folder has its control store, and not the evidence that belongs to it. */
export const evidenceMissing = (control: string, evidence: string): StoresApart =>
  new StoresApart(
    'conflict',
    `The evidence of the control store ${control} is missing: there is no folder ${evidence}. Put it back, or restore a backup ({next}).`,
    { next: { step: 'restore' } },
  )

/** The stores have the layout of an earlier release, which a check does not upgrade. */
export class OutdatedStores extends Refusal {}
