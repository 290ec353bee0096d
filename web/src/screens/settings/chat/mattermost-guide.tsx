import { STEPS } from './steps.ts';

/** How to set up the bot in Mattermost. */
export function MattermostGuide() {
  return (
    <ol className={STEPS}>
      <li>
        In the <em>System Console</em>, under <em>Integrations → Bot Accounts</em>, allow bot
        accounts.
      </li>
      <li>
        Back in the team, under <em>Integrations → Bot Accounts</em>, add a bot with the role{' '}
        <em>Member</em>, and copy its token.
      </li>
      <li>Add the bot to the team, and to each channel that you want to map.</li>
    </ol>
  );
}
