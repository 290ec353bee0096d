import { question, section, type WrittenDocument } from './parts.ts';

export const OTHERS: WrittenDocument[] = [
  {
    name: 'security-policy.md',
    sections: [
      section(
        'Passwords',
        'Passwords have at least fourteen characters and are kept in the password manager. Nobody is made to change them without a reason. A second factor is needed for mail, the bank and the booking system; a security key is better than a code by text message. Shared accounts do not exist, except for the display in the lobby. Whoever believes that a password was seen by somebody else changes it at once and writes to the security team.',
      ),
      section(
        'Devices',
        'Disks are encrypted. The screen locks after five minutes. Updates are installed within seven days, and within two if the security team says so. Private devices may read mail through the browser, and nothing else. Sticks that were found are not plugged in, but brought to the help desk. Before a laptop is passed on, its disk is erased twice.',
      ),
      section(
        'Visitors',
        'Visitors sign in at the desk, wear a yellow badge and are not left alone in the server room. Deliveries are put down in the hall. Photographs of the screens in the control room are not allowed, not even for friends.',
      ),
      section(
        'Incidents',
        'Whoever sees something strange writes to the security team, or calls extension 911 at night. Nobody is blamed for a false alarm. The team answers within the hour and decides whether the data protection authority has to be told, which must happen within 72 hours. After each incident, a report without names is written and read by everybody.',
      ),
      section(
        'Suppliers',
        'Suppliers that see personal data sign an agreement and are checked once a year. Their access ends with the contract, on the same day. Remote maintenance of the cranes is switched on for an hour at a time, by the foreman, and somebody watches it.',
      ),
      section(
        'Backups',
        'Backups are made every night and kept for ninety days, in another town. Each quarter one of them is restored on a spare machine, and somebody of another department says whether everything is there. Tapes of the old system were destroyed in 2024.',
      ),
    ],
    questions: [
      question(
        'What should I do with a USB drive that was lying in the car park?',
        'Sticks that were found',
      ),
      question('How soon does the regulator need to know about a leak of data?', 'within 72 hours'),
      question('Do we test whether we can get our data back?', 'restored on a spare machine'),
    ],
  },
  {
    name: 'booking-system-release-notes.md',
    sections: [
      section(
        'Version 8.4',
        'Bookings can be copied, with all their containers. The map shows ice. The list of customers loads in a second, also for those with more than ten thousand bookings. Fixed: a container that was unloaded in the wrong port stayed on the bill. Fixed: the time of arrival was an hour early in summer for ports in Iceland, which has no summer time. The old import of spreadsheets is gone; use templates instead.',
      ),
      section(
        'Version 8.3',
        'Customers see where their goods are, on a page of their own, without an account. The link is valid for sixty days. Dangerous goods need the number of their class and a contact who answers by day and night. Fixed: umlauts in the names of ships were lost on printed bills of lading. The phone app no longer runs on systems older than five years.',
      ),
      section(
        'Version 8.2',
        'Prices can be in four currencies; the rate of the European Central Bank of the day before is used. Whoever changes a price gives a reason, which is kept. New keyboard shortcuts: N for a new booking, slash for the search. Fixed: twins of one customer were merged although their tax numbers differed. The server needs sixteen gigabytes of memory now.',
      ),
      section(
        'Version 8.1',
        'The night run, which makes invoices, starts at two instead of at midnight, because the bank was not ready. Reminders are sent after ten days, in the language of the customer. Refrigerated containers have a curve of their temperature, with an alarm by text message. Fixed: two people who edited one booking overwrote each other; the second is now asked.',
      ),
      section(
        'Version 8.0',
        'A new look, and a dark one. All lists can be filtered and saved as views. Rights are by team, no longer by person. The interface for partners speaks JSON; the old one with XML is switched off in December. Training takes two hours and is on video. Known problem: printing labels on the old Zebra printers is slow, because each is sent as a picture.',
      ),
      section(
        'Version 7.9',
        'The last version with the old look. Security fixes for the reading of PDF files. Certificates of origin can be attached to each container. Fixed: after a change of the year, weeks were counted wrongly in the plan of the yard.',
      ),
    ],
    questions: [
      question('When will the XML API stop working?', 'switched off in December'),
      question('Which version fixed German special letters in print?', 'umlauts in the names'),
      question('At what time are bills generated?', 'starts at two'),
    ],
  },
  {
    name: 'canteen.html',
    sections: [
      section(
        'Opening hours',
        'The canteen opens at half past eleven and closes at two. Coffee is there from eight on, at the bar beside the entrance. On the last Friday of each month it stays open until six, with cake, for everybody who likes to stay and talk. In the weeks between the years it is closed.',
      ),
      section(
        'Menu',
        'Each day there are three dishes, one of them without meat, and one without anything of animals. Fish is served on Fridays and comes from the boat of the Petersen family. Wishes are written on the board; the three that were wished most often are cooked in the first week of the month. The soup can be refilled.',
      ),
      section(
        'Prices',
        'A dish costs 5.20 euros for employees and 7.90 for guests. Apprentices pay half. The card is charged at the machine in the hall, with coins or by phone. Whoever has forgotten the card writes the name on the list at the till and pays the next day.',
      ),
      section(
        'Allergies',
        'Gluten, nuts, milk and eggs are marked with letters: G, N, M and E. The kitchen cooks in a separate pan if it is told by nine. Sesame can be anywhere, because the bakery uses it. Mrs Okafor, the head of the kitchen, answers questions at extension 340.',
      ),
      section(
        'Leftovers',
        'What is left at half past one is sold for two euros in boxes that you bring along. What is still there at two goes to the shelter at the station. So less than five kilos a day are thrown away, a third of what it was in 2022.',
      ),
      section(
        'Parties',
        'The room can be used for birthdays and farewells in the evening. It holds eighty people. It is booked with the office manager two weeks before; cleaning costs sixty euros. Music is turned down at ten, because of the neighbours in Quay Street. Crockery stays in the house, and so do the plants.',
      ),
      section(
        'History',
        'The canteen was a net loft until 1974. The beams are of oak from a ship that sank in the river in 1911, the Anna Katharina. The painting at the end shows her. The long table was made by the joiners of the yard, who were paid with a year of free lunches.',
      ),
    ],
    questions: [
      question('Whom do I ask about food intolerance?', 'Mrs Okafor'),
      question('How much does lunch cost for visitors?', '7.90 for guests'),
      question('Can I celebrate my retirement there?', 'birthdays and farewells'),
    ],
  },
  {
    name: 'onboarding.html',
    sections: [
      section(
        'Your first day',
        'Come at nine to the desk on the ground floor and ask for Ines. She has your badge, your laptop and a bag with things that you did not know you needed. At ten there is a tour of the yard; wear shoes that may become dirty. At noon your team takes you to lunch, which is on us. In the afternoon you set up your accounts with somebody of the help desk.',
      ),
      section(
        'Your buddy',
        'Somebody of another team is your buddy for three months. A buddy shows you around, explains words such as demurrage, and answers what you do not dare to ask anybody else. You have lunch together once a week in the first month. If you do not get on, tell Ines, and you get another one; nobody minds.',
      ),
      section(
        'Who is who',
        'Magnus owns the company, together with his sister Liv. Tomasz runs the yard, Aisha the booking, Ferdinand the finances. The captains are rarely seen, but come to the party in June. Questions about pay go to Birgit, who is there from Monday to Wednesday. The cat is called Ballast and belongs to nobody.',
      ),
      section(
        'Your probation',
        'The first six months are a probation. After four weeks, three months and five months, you talk with your lead about how it goes, in both directions. In this time, both sides can end the contract with two weeks notice. Most stay.',
      ),
      section(
        'Words you will hear',
        'Demurrage is what a customer pays if a container stays in the port for too long. A feeder is a small ship that brings containers to a large one. TEU is the unit that containers are counted in, twenty feet long. Laytime is how long loading may take. A bill of lading is the paper that owns the goods.',
      ),
      section(
        'Clubs',
        'There is a choir on Mondays, football on Wednesdays behind hall three, and a group that repairs an old sailing boat on Saturdays. You need not be able to sing, play or sail. The boat, the Dorothea, leaks less each year and will cross to Gotland one day.',
      ),
      section(
        'Your first project',
        'In your second week you get a small task that is useful and can be finished in ten days. You show the result to everybody on the second Thursday, in five minutes. It need not be perfect. The best were a better sign for the lift and a script that finds containers that everybody has forgotten.',
      ),
    ],
    questions: [
      question('Who pays the salaries, and when can I meet them?', 'Birgit'),
      question('What is the fee for leaving boxes in the harbour too long?', 'Demurrage is what'),
      question('How long is the trial period of a new employee?', 'The first six months'),
    ],
  },
  {
    name: 'minutes-of-the-board.txt',
    sections: [
      section(
        '12 January',
        'Present: Liv, Magnus, Ferdinand, Mr Castellanos of the bank. Ferdinand reported that the bank extends the loan for the Juniper until 2031, at 3.9 percent. The board agreed. Magnus wants to bid for the route to Tallinn; Liv thinks that it is too early, since two ships are in the yard until March. It was put off to the spring. The office in Genoa loses money for the third year; Ferdinand makes a plan for its end.',
      ),
      section(
        '9 March',
        'Present: all, and Tomasz. Tomasz showed why the crane at berth two failed: a bearing, not the software. A new one costs 88,000 euros and takes nine weeks. Until then a crane is rented from Bremen. The board asked whether the insurer pays; Ferdinand doubts it. The apprentices get a bonus for the week in which they unloaded by hand. Liv will write to each of them.',
      ),
      section(
        '4 May',
        'Present: Liv, Ferdinand, Aisha. Magnus was ill. Aisha presented three suppliers of a new booking system and recommended to stay with the present one and to have it improved for 210,000 euros over two years. The board agreed, on condition that customers can follow their goods themselves by autumn. The sale of the Marigold to a yard in Turkey was approved, after Liv had asked for the certificate that she is taken apart properly.',
      ),
      section(
        '13 July',
        'Present: all. The canal is closed. Rates have tripled within three weeks. The board decided to charter two more ships for six months, the Calypso and the Wren, and to offer old customers the old price until the end of August. Magnus called it the best decision of the decade, Ferdinand the most expensive one. Liv asked that the crews who stay on board for longer get a month off afterwards.',
      ),
      section(
        '21 September',
        'Present: all, and Birgit. Wages rise by 4.5 percent in October, and by a fixed sum of 80 euros for those who earn least. Genoa is closed; of its nine people, four come to Hamburg and five are helped to find work. The route to Tallinn is taken up in April with one ship a week. The party in June cost too much and was worth it, says the minute at the wish of Magnus.',
      ),
      section(
        '30 November',
        'Present: Liv, Magnus, Ferdinand. Two hybrid feeders are ordered at a yard in Vigo for 27 million euros each, to be delivered in 2028. The bank pays sixty percent. Liv becomes chair of the board in January; Magnus stays as captain of the Dorothea. The next meeting is on the eleventh of January at ten, in the net loft.',
      ),
    ],
    questions: [
      question('What was broken at the second berth?', 'a bearing, not the software'),
      question('Which ships did we rent when the canal was blocked?', 'the Calypso and the Wren'),
      question('How much more money do staff get in autumn?', '4.5 percent in October'),
    ],
  },
  {
    name: 'fleet.csv',
    sections: [
      section(
        'ship,built,length in metres,containers,engine,captain,home port,next inspection',
        '',
      ),
      section('Juniper,2009,161,1100,MAN 7L48,Solveig Aune,Hamburg,2027-03-14', ''),
      section('Larkspur,2012,149,980,Wärtsilä 8L46,Dimitris Pappas,Hamburg,2026-11-30', ''),
      section('Tansy,2004,134,720,MAK 9M43,Ewa Lis,Emden,2027-06-02', ''),
      section('Sorrel,2015,168,1240,MAN 8L48,Rui Tavares,Rotterdam,2028-01-19', ''),
      section('Yarrow,2001,122,610,MAK 8M43,Hugo Brandt,Emden,2026-12-08', ''),
      section('Borage,2018,172,1310,Wärtsilä 9L46,Nadia Haddad,Hamburg,2028-05-05', ''),
      section('Chicory,2007,140,800,MAN 6L48,Owen Pryce,Oslo,2027-09-21', ''),
    ],
    questions: [
      question('Who is the captain of the Yarrow?', 'Hugo Brandt'),
      question('Which ship is based in Norway?', 'Chicory'),
      question('How long is the Borage?', '172'),
    ],
  },
];
